# loops.py: PyTorch loops with one habit each, in two forms, whose gain is known by running both
# SPDX-License-Identifier: MIT
"""
    python3 loops.py LOOP [better] [TIMES]     prints its result, and on standard error how long it took
    python3 loops.py list
"""
import sys
import time

import torch

better = 'better' in sys.argv
device = torch.device('cuda')


def train(times):
    """Batches from pageable memory. Better: page-locked, and without a wait."""
    weights = torch.zeros(1024, 64, device=device, requires_grad=True)
    optimizer = torch.optim.SGD([weights], lr=1e-3)
    batches = [torch.randn(8192, 1024) for _ in range(8)]
    if better:
        batches = [batch.pin_memory() for batch in batches]
    begin = time.perf_counter()
    for i in range(times):
        batch = batches[i % 8].to(device, non_blocking=better)
        loss = (batch @ weights).square().mean() + (weights - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return begin, loss.item()


def infer(times):
    """Inputs and results in pageable memory. Better: page-locked."""
    model = torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.ReLU(),
                                torch.nn.Linear(4096, 4096)).to(device).eval()
    inputs, results = torch.randn(2048, 4096), torch.empty(2048, 4096)
    if better:
        inputs, results = inputs.pin_memory(), results.pin_memory()
    begin = time.perf_counter()
    with torch.no_grad():
        for _ in range(times):
            results.copy_(model(inputs.to(device, non_blocking=better)), non_blocking=better)
            torch.cuda.synchronize()
    return begin, results.sum().item()


def blocks(times):
    """Page-locked blocks of 16 KiB, a copy each. Better: packed and copied once."""
    parts = [torch.randn(4096).pin_memory() for _ in range(512)]
    whole, packed = torch.empty(512, 4096, device=device), torch.empty(512, 4096).pin_memory()
    begin = time.perf_counter()
    for _ in range(times):
        if better:
            whole.copy_(torch.stack(parts, out=packed), non_blocking=True)
        else:
            for k in range(512):
                whole[k].copy_(parts[k], non_blocking=True)
        total = whole.sum()
        torch.cuda.synchronize()
    return begin, total.item()


def items(times):
    """A sum is fetched after each kernel. Better: all of them at the end."""
    values, total, sums = torch.randn(4096, device=device), 0.0, []
    begin = time.perf_counter()
    for i in range(times):
        part = (values * (1 + i * 1e-6)).sum()
        if better:
            sums.append(part)
        else:
            total += part.item()
    return begin, torch.stack(sums).double().sum().item() if better else total


TIMES = {'train': 200, 'infer': 100, 'blocks': 100, 'items': 20000}

if __name__ == '__main__':
    if sys.argv[1] == 'list':
        print('\n'.join(TIMES))
    else:
        torch.manual_seed(1)
        times = int(sys.argv[-1]) if sys.argv[-1].isdigit() else TIMES[sys.argv[1]]
        begin, result = globals()[sys.argv[1]](times)
        print(f'loop_ms {1e3 * (time.perf_counter() - begin):.2f}', file=sys.stderr)
        print(f'{sys.argv[1]} {result:.6g}')
