package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The exchanges of the graph that is captured. Each exchange runs concurrently with later kernels, up to the first kernel that uses its
 * memory. Used under the engine's lock.
 */
public final class GraphExchanges {
    /** An exchange for which kernels do not wait yet. */
    private record Underway(Gpu.Mark done, List<CudaBuffer> memory, Runnable last) {
        boolean meets(CudaBuffer other) {
            return memory.stream().anyMatch(own -> own.meets(other));
        }
    }

    private final Gpu gpu;
    private final List<Underway> underway = new ArrayList<>();

    GraphExchanges(Gpu gpu) {
        this.gpu = gpu;
    }

    /**
     * Runs the work of a library, which appends an exchange after the kernels so far.
     *
     * @param memory the buffers that the exchange reads and writes
     * @param last the engine's work after the exchange
     */
    public void begin(List<CudaBuffer> memory, Runnable work, Runnable last) {
        Gpu.Mark kernels = gpu.mark(Queue.KERNELS);
        gpu.follow(Queue.EXCHANGES, kernels);
        gpu.forget(kernels);
        work.run();
        underway.add(new Underway(gpu.mark(Queue.EXCHANGES), memory, last));
    }

    /** Makes a kernel wait for the exchanges that share memory with it. Called before the kernel is appended. */
    void before(Launch launch) {
        if (underway.isEmpty()) {
            return;
        }
        for (Iterator<Underway> each = underway.iterator(); each.hasNext(); ) {
            Underway exchange = each.next();
            if (meetsAny(exchange, launch.operands()) || meetsAny(exchange, launch.results())) {
                each.remove();
                await(exchange);
            }
        }
    }

    private static boolean meetsAny(Underway exchange, Array[] arrays) {
        for (Array array : arrays) {
            if (exchange.meets((CudaBuffer) array.buffer())) {
                return true;
            }
        }
        return false;
    }

    private void await(Underway exchange) {
        gpu.follow(Queue.KERNELS, exchange.done);
        gpu.forget(exchange.done);
        exchange.last.run();
    }

    /** Makes the end of the graph wait for all exchanges. */
    void awaitAll() {
        while (!underway.isEmpty()) {
            await(underway.removeFirst());
        }
    }

    /** Drops the state of a capture that failed. */
    void drop() {
        underway.forEach(exchange -> gpu.forget(exchange.done));
        underway.clear();
    }
}
