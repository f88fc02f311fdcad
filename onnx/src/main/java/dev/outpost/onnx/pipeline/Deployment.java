package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Stages on machines, and the threads that pass batches from one to the next. Each stage has a thread, which hands a batch to its
 * machine without waiting until it is computed: while one is computed the next is on its way. The pipeline bounds how many are
 * under way, so no queue here is longer.
 */
final class Deployment implements AutoCloseable {
    private final List<StageHost> hosts;
    private final List<String> outputs;
    private final ActivationCodec codec;
    private final FailureListener onFailure;
    /** In front of each stage, and behind the last. */
    private final List<BlockingQueue<Batch.Attempt>> queues;

    private final List<Thread> threads;
    private volatile boolean isClosed;

    /** Hears of batches that could not be computed. */
    @FunctionalInterface
    interface FailureListener {
        void failed(Deployment deployment, Batch batch, Throwable problem);
    }

    /**
     * Starts the threads.
     *
     * @param outputs of the model, in its order
     * @param onFailure hears of each batch that could not be computed here
     */
    Deployment(List<StageHost> hosts, List<String> outputs, ActivationCodec codec, FailureListener onFailure) {
        this.hosts = List.copyOf(hosts);
        this.outputs = outputs;
        this.codec = codec;
        this.onFailure = onFailure;
        this.queues = java.util.stream.Stream.<BlockingQueue<Batch.Attempt>>generate(LinkedBlockingQueue::new)
                .limit(hosts.size() + 1L)
                .toList();
        this.threads = new java.util.ArrayList<>();
        for (int stage = 0; stage < hosts.size(); stage++) {
            int place = stage;
            threads.add(Thread.ofPlatform()
                    .daemon()
                    .name("outpost-onnx-stage-" + stage)
                    .start(() -> passOn(place)));
        }
        threads.add(Thread.ofPlatform().daemon().name("outpost-onnx-answers").start(this::answer));
    }

    List<StageHost> hosts() {
        return hosts;
    }

    /** Begins a batch. */
    void submit(Batch batch) {
        queues.getFirst().add(batch.begin());
    }

    private void passOn(int place) {
        StageHost host = hosts.get(place);
        try {
            while (!isClosed) {
                Batch.Attempt attempt = queues.get(place).take();
                try {
                    attempt.put(host.run(attempt.await(host.stage().inputs()), attempt.types(), codec));
                    queues.get(place + 1).add(attempt);
                } catch (ExecutionException lost) {
                    fail(attempt, lost.getCause());
                } catch (RuntimeException | Error failed) {
                    fail(attempt, failed);
                }
            }
        } catch (InterruptedException closed) {
            // Somebody closes this, and knows of the batches that are under way.
        }
    }

    private void answer() {
        try {
            while (!isClosed) {
                Batch.Attempt attempt = queues.getLast().take();
                try {
                    attempt.batch().answer().complete(collected(attempt));
                } catch (ExecutionException lost) {
                    fail(attempt, lost.getCause());
                }
            }
        } catch (InterruptedException closed) {
            // As above.
        }
    }

    private SequencedMap<String, HostTensor> collected(Batch.Attempt attempt)
            throws InterruptedException, ExecutionException {
        SequencedMap<String, HostTensor> tensors = new LinkedHashMap<>();
        List<Activation> found = attempt.await(outputs);
        for (int output = 0; output < outputs.size(); output++) {
            tensors.put(outputs.get(output), found.get(output).parts().getFirst());
        }
        return tensors;
    }

    private void fail(Batch.Attempt attempt, Throwable problem) {
        if (!isClosed) {
            onFailure.failed(this, attempt.batch(), problem);
        }
    }

    /** Ends the threads and lets go of the stages; does not wait. Machines stay open. */
    @Override
    public void close() {
        isClosed = true;
        threads.forEach(Thread::interrupt);
        hosts.forEach(StageHost::close);
    }
}
