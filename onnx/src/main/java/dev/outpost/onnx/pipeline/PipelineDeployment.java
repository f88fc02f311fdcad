package dev.outpost.onnx.pipeline;

import dev.outpost.HostTensor;
import dev.outpost.PeerLinks;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Stages on machines that are connected with each other. A thread records each batch on all of them without waiting, so the
 * next batch is sent while a stage computes. The pipeline limits the batches under way, which also limits the queue.
 */
final class PipelineDeployment implements AutoCloseable {
    private final List<StageHost> hosts;
    private final List<String> outputs;
    private final ActivationCodec codec;
    private final Optional<PeerLinks> links;
    private final FailureListener onFailure;
    private final BlockingQueue<PipelineBatch> queue = new LinkedBlockingQueue<>();
    /** Counted down when the thread ends. */
    private final CountDownLatch ended = new CountDownLatch(1);

    private final Thread thread;
    private volatile boolean isClosed;

    /** Receives batches that could not be computed. */
    @FunctionalInterface
    interface FailureListener {
        void failed(PipelineDeployment deployment, PipelineBatch batch, Throwable problem);
    }

    /**
     * Starts the thread.
     *
     * @param outputs the outputs of the model, in its order
     * @param links the connections between the machines; empty if there is only one stage
     * @param onFailure receives each batch that could not be computed here
     */
    PipelineDeployment(
            List<StageHost> hosts,
            List<String> outputs,
            ActivationCodec codec,
            Optional<PeerLinks> links,
            FailureListener onFailure) {
        this.hosts = List.copyOf(hosts);
        this.outputs = outputs;
        this.codec = codec;
        this.links = links;
        this.onFailure = onFailure;
        this.thread = Thread.ofPlatform().daemon().name("outpost-onnx-batches").start(this::recordAll);
    }

    List<StageHost> hosts() {
        return hosts;
    }

    void submit(PipelineBatch batch) {
        queue.add(batch);
    }

    private void recordAll() {
        try {
            while (!isClosed) {
                record(queue.take());
            }
        } catch (InterruptedException interrupted) {
            // The caller that closes this deployment handles the batches under way.
        } finally {
            ended.countDown();
        }
    }

    private void record(PipelineBatch batch) {
        batch.begin();
        try (BatchRecording recording = new BatchRecording(hosts, outputs, codec, links, batch)) {
            SequencedMap<String, CompletableFuture<HostTensor>> fetched = recording.record();
            CompletableFuture.allOf(fetched.values().toArray(CompletableFuture[]::new))
                    .whenComplete((nothing, problem) -> Thread.ofVirtual()
                            .name("outpost-onnx-answer")
                            .start(() -> answer(batch, fetched, problem)));
        } catch (RuntimeException | Error failure) {
            fail(batch, failure);
        }
    }

    private void answer(
            PipelineBatch batch, SequencedMap<String, CompletableFuture<HostTensor>> fetched, Throwable problem) {
        if (problem != null) {
            fail(batch, problem instanceof CompletionException told ? told.getCause() : problem);
            return;
        }
        SequencedMap<String, HostTensor> tensors = new LinkedHashMap<>();
        fetched.forEach((name, tensor) -> tensors.put(name, tensor.join()));
        batch.answer().complete(tensors);
    }

    private void fail(PipelineBatch batch, Throwable problem) {
        if (!isClosed) {
            onFailure.failed(this, batch, problem);
        }
    }

    /** Ends the thread and the exchanges between machines, and releases the stages. Does not wait. Machines stay open. */
    @Override
    public void close() {
        isClosed = true;
        thread.interrupt();
        links.ifPresent(PeerLinks::close);
        hosts.forEach(StageHost::close);
    }

    /** Waits until the thread has ended and records no more. */
    void awaitEnd(Duration atMost) {
        try {
            boolean ignored = ended.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
