"""A real language model behind llama.cpp's own OpenAI-compatible server: ``python real_model.py MODEL.gguf``.

Prints its address and serves until its standard input is closed, so that it cannot outlive the test that started it.
"""

from __future__ import annotations

import os
import sys

import xllamacpp


def main() -> None:
    parameters = xllamacpp.CommonParams()
    parameters.model.path = sys.argv[1]
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 1
    parameters.cpuparams_batch.n_threads = 1
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    os._exit(0)  # at once: nothing of it is worth an orderly end


if __name__ == "__main__":
    main()
