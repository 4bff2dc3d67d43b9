# loops.py: PyTorch loops with one habit each, in two forms, whose gain is known by running both
# SPDX-License-Identifier: MIT
"""
    python3 loops.py LOOP [better] [TIMES]   prints its result, and on standard error its time
    python3 loops.py LOOP both PAIRS         both forms in turn, after a short run of each
    python3 loops.py list
"""
import sys
import time

import torch

device = torch.device('cuda')


def train(times, better):
    """Batches from pageable memory. Better: page-locked, and without a wait."""
    batches = [torch.rand(8192, 1024) for _ in range(8)]
    if better:
        batches = [batch.pin_memory() for batch in batches]
    weights = torch.zeros(1024, 64, device=device, requires_grad=True)
    optimizer = torch.optim.SGD([weights], lr=1e-3)
    begin = time.perf_counter()
    for i in range(times):
        batch = batches[i % 8].to(device, non_blocking=better)
        loss = (batch @ weights).square().mean() + (weights - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return begin, loss.item()


def infer(times, better):
    """Inputs and results in pageable memory. Better: page-locked."""
    inputs, results = torch.rand(2048, 4096), torch.empty(2048, 4096)
    model = torch.nn.Sequential(torch.nn.Linear(4096, 4096), torch.nn.ReLU(),
                                torch.nn.Linear(4096, 4096)).to(device).eval()
    if better:
        inputs, results = inputs.pin_memory(), results.pin_memory()
    begin = time.perf_counter()
    with torch.no_grad():
        for _ in range(times):
            results.copy_(model(inputs.to(device, non_blocking=better)), non_blocking=better)
            torch.cuda.synchronize()
    return begin, results.sum().item()


def blocks(times, better):
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


def items(times, better):
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


def results(times, better):
    """A result comes back into new pageable memory. Better: into page-locked memory, always the same."""
    values, kept = torch.randn(4096, 1024, device=device), torch.empty(4096, 1024)
    if better:
        kept = kept.pin_memory()
    total = 0.0
    begin = time.perf_counter()
    for i in range(times):
        values.mul_(1.001)
        here = kept.copy_(values) if better else values.cpu()
        total += here[0, 0].item()
    return begin, total


def indices(times, better):
    """Small indices in pageable memory. Better: page-locked, and without a wait."""
    table, total = torch.randn(1 << 20, device=device), torch.zeros((), device=device)
    parts = [torch.randint(0, 1 << 20, (32768,)) for _ in range(16)]
    if better:
        parts = [part.pin_memory() for part in parts]
    begin = time.perf_counter()
    for i in range(times):
        total += table[parts[i % 16].to(device, non_blocking=better)].sum()
    return begin, total.item()


def mask(times, better):
    """A page-locked mask that never changes is copied each time. Better: once."""
    values, host = torch.randn(4096, 1024, device=device), torch.ones(4096, 1024).pin_memory()
    begin = time.perf_counter()
    for i in range(times):
        if i == 0 or not better:
            there = host.to(device)
        values.mul_(there)
    return begin, values.sum().item()


def waits(times, better):
    """Waits after each step. Better: after the last one."""
    values = torch.randn(4096, device=device)
    begin = time.perf_counter()
    for _ in range(times):
        values.mul_(1.0001).clamp_(-1, 1)
        if not better:
            torch.cuda.synchronize()
    torch.cuda.synchronize()
    return begin, values.sum().item()


def tuned(times, better):
    """Page-locked batches, copied on a stream of their own: there is nothing to gain."""
    batches = [torch.rand(2048, 4096).pin_memory() for _ in range(2)]
    weights, side = torch.randn(4096, 4096, device=device), torch.cuda.Stream()
    there = [torch.empty(2048, 4096, device=device) for _ in range(2)]
    total = torch.zeros((), device=device)
    begin = time.perf_counter()
    for i in range(times):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            there[i % 2].copy_(batches[i % 2], non_blocking=True)
        if i > 0:
            total += (there[(i - 1) % 2] @ weights).mean()
        torch.cuda.current_stream().wait_stream(side)
    return begin, total.item()


def compute(times, better):
    """Large products, a result fetched after each. Better: all at the end, which saves next to nothing."""
    values, firsts, total = torch.randn(8192, 8192, device=device), [], 0.0
    begin = time.perf_counter()
    for _ in range(times):
        values = (values @ values).tanh_()
        if better:
            firsts.append(values[0, 0])
        else:
            total += values[0, 0].item()
    return begin, torch.stack(firsts).double().sum().item() if better else total


TIMES = {'train': 200, 'infer': 100, 'blocks': 100, 'items': 20000, 'results': 200, 'indices': 4000,
         'mask': 1000, 'waits': 20000, 'tuned': 400, 'compute': 40}


def run(name, times, better):
    torch.manual_seed(1)
    begin, result = globals()[name](times, better)
    torch.cuda.synchronize()
    return 1e3 * (time.perf_counter() - begin), result


def main():
    name, *words = sys.argv[1:]
    number = int(words[-1]) if words and words[-1].isdigit() else None
    if name == 'list':
        print('\n'.join(TIMES))
    elif 'both' in words:
        for better in (False, True):
            run(name, TIMES[name] // 20, better)
        for _ in range(number):
            before, plain = run(name, TIMES[name], False)
            after, changed = run(name, TIMES[name], True)
            print(f'pair_ms {before:.2f} {after:.2f} results {plain:.6g} {changed:.6g}', flush=True)
    else:
        took, result = run(name, number or TIMES[name], 'better' in words)
        print(f'loop_ms {took:.2f}', file=sys.stderr)
        print(f'{name} {result:.6g}')


if __name__ == '__main__':
    main()
