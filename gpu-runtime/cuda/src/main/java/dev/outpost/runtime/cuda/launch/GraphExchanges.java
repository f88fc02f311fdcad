package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.cuda.device.Gpu;
import dev.outpost.runtime.cuda.device.Gpu.Queue;
import dev.outpost.runtime.engine.Launch;
import dev.outpost.runtime.memory.Array;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * The exchanges of the graph that is captured. Each runs beside the kernels behind it, up to the first one that has to do with its
 * memory. Under the engine's lock.
 */
public final class GraphExchanges {
    /** An exchange that kernels have not waited for. */
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
     * Has a library append an exchange, behind the kernels so far.
     *
     * @param memory what it reads and writes
     * @param last of the engine, behind it
     */
    public void begin(List<CudaBuffer> memory, Runnable work, Runnable last) {
        Gpu.Mark kernels = gpu.mark(Queue.KERNELS);
        gpu.follow(Queue.EXCHANGES, kernels);
        gpu.forget(kernels);
        work.run();
        underway.add(new Underway(gpu.mark(Queue.EXCHANGES), memory, last));
    }

    /** A kernel is next: it waits for the exchanges that have to do with its memory. */
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

    /** The end of the graph waits for all exchanges. */
    void awaitAll() {
        while (!underway.isEmpty()) {
            await(underway.removeFirst());
        }
    }

    /** There is no graph. */
    void drop() {
        underway.forEach(exchange -> gpu.forget(exchange.done));
        underway.clear();
    }
}
