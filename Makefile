# Each target is one command of run.py, which sets up whatever it needs first.
PYTHON ?= python3

.PHONY: run test quick soak mutants lint types check build lock sbom

run:
	@$(PYTHON) run.py

test:
	@$(PYTHON) run.py test

# The changed subjects, or SUBJECT="races runs".
quick:
	@$(PYTHON) run.py quick $(SUBJECT)

soak mutants lint types check build lock sbom:
	@$(PYTHON) run.py $@
