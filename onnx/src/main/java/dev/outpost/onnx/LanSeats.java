package dev.outpost.onnx;

import dev.outpost.MachineOptions;
import dev.outpost.RemoteMachine;
import dev.outpost.onnx.pipeline.Seat;
import dev.outpost.provider.lan.Worker;
import dev.outpost.provider.lan.WorkerWatch;
import dev.outpost.provider.lan.Workers;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Workers of the local network as machines of a pipeline. */
final class LanSeats {
    /** A worker that does not come back within this is done without. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    /** A worker that tells nothing for so long is lost; it tells twice a second. */
    private static final Duration SILENCE = Duration.ofMillis(2200);

    private LanSeats() {}

    static List<Seat> of(List<Worker> workers) {
        return workers.stream().map(LanSeats::of).toList();
    }

    private static Seat of(Worker worker) {
        RemoteMachine machine = RemoteMachine.connect(worker.endpoint(), new MachineOptions().lossPatience(PATIENCE));
        WorkerWatch watch = WorkerWatch.start(worker);
        return new Seat(
                worker.name(),
                machine,
                worker.freeBytes(),
                true,
                () -> watch.silence().compareTo(SILENCE) > 0,
                watch::close);
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
