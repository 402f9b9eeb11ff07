"""Four threads use a queue; what they did goes to a file that `muster check FILE` judges."""
import json, queue, sys, threading, time

items, lines = queue.Queue(), []

def record(process, op, args, act):
    start = time.monotonic_ns()
    result = act()
    lines.append(json.dumps({"process": process, "op": op, "args": args, "result": result, "start": start, "end": time.monotonic_ns()}))

def pop():
    try:
        return items.get_nowait()
    except queue.Empty:
        return None

def work(process):
    for i in range(250):
        record(process, "enqueue", [process * 1000 + i], lambda: items.put(process * 1000 + i))
        record(process, "dequeue", [], pop)

threads = [threading.Thread(target=work, args=(p,)) for p in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
with open(sys.argv[1], "w") as out:
    out.write('{"object":"queue"}\n' + "\n".join(lines) + "\n")
