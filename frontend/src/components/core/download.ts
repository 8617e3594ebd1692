/** Downloads a text as a file. */
export function downloadText(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser starts to read the URL after this task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
