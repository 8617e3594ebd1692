declare module "virtual:figures" {
  const figures: Record<string, string>;
  export default figures;
}

declare module "zzfx" {
  export function zzfx(...parameters: (number | undefined)[]): AudioBufferSourceNode;
}
