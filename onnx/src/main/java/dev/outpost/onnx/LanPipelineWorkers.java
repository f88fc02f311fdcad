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

/** Makes machines of a pipeline from workers of the local network. */
final class LanPipelineWorkers {
    /** The maximum wait for a connection to a lost worker that may be reachable again. */
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    /** The maximum wait at the end, because results for a closed pipeline are of no use. */
    private static final Duration CLOSING = Duration.ofSeconds(2);

    /** A worker that sends no announcement for this time is lost; workers send two a second. */
    private static final Duration SILENCE = Duration.ofMillis(2200);

    private LanPipelineWorkers() {}

    /** @param found the discovery that finds lost workers again */
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

    /** Returns the reason why no worker can be used. */
    static String whatThereIs(Workers workers) {
        String seen = workers.list().stream()
                .map(worker -> !worker.isUsable()
                        ? worker.refusal()
                        : worker.name() + " runs " + String.join(", ", worker.formats()) + " only")
                .collect(Collectors.joining("; "));
        return seen.isEmpty() ? "none was found on the local network; ./outpost runtime --announce starts one" : seen;
    }
}
