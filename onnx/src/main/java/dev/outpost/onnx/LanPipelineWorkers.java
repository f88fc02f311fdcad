package dev.outpost.onnx;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.onnx.pipeline.PipelineWorker;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.WorkerHeartbeat;
import dev.outpost.provider.lan.WorkerProvider;
import dev.outpost.provider.lan.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Workers of the local network as machines of a pipeline. */
final class LanPipelineWorkers {
    /** A worker that does not come back within this is done without. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** What a worker still computes for a pipeline that is closed is of no use. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** A worker that tells nothing for so long is lost; it tells twice a second. */
    private static final Duration SILENCE = Duration.ofMillis(2200);

    private LanPipelineWorkers() {}

    /** @param found where those that were lost are looked for */
    static List<PipelineWorker> of(List<Worker> workers, Workers found) {
        return workers.stream().map(worker -> of(worker, found)).toList();
    }

    private static PipelineWorker of(Worker worker, Workers found) {
        RemoteMachine machine = RemoteMachine.of(
                new WorkerProvider(worker),
                "any",
                new MachineOptions().lossTimeout(TIMEOUT).closeLimit(CLOSING));
        WorkerHeartbeat watch = WorkerHeartbeat.start(worker);
        return new PipelineWorker(
                worker.name(),
                machine,
                Optional.of(worker.host()),
                worker.freeBytes(),
                true,
                () -> watch.silence().compareTo(SILENCE) > 0,
                () -> again(worker, found),
                watch::close);
    }

    private static Optional<PipelineWorker> again(Worker lost, Workers found) {
        return found.usable().stream()
                .filter(worker -> worker.certificate().equals(lost.certificate()))
                .findFirst()
                .map(worker -> of(worker, found));
    }

    /** Why none of the workers can be used. */
    static String whatThereIs(Workers workers) {
        String seen = workers.list().stream()
                .map(worker -> !worker.isUsable()
                        ? worker.refusal()
                        : worker.name() + " runs " + String.join(", ", worker.formats()) + " only")
                .collect(Collectors.joining("; "));
        return seen.isEmpty() ? "none was found on the local network; ./outpost runtime --announce starts one" : seen;
    }
}
