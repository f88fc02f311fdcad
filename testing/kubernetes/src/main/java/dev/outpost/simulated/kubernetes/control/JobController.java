package dev.outpost.simulated.kubernetes.control;

import dev.outpost.simulated.kubernetes.api.Change;
import dev.outpost.simulated.kubernetes.api.ClusterObjects;
import dev.outpost.simulated.kubernetes.api.ClusterTime;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs Jobs: makes their pods, sets their results, and removes them when their time is over. */
public final class JobController implements AutoCloseable {
    private final ClusterObjects objects;
    private final PacedClock clock;
    private final SimulatedJob.SimulatedJobContext surroundings;
    private final Map<String, SimulatedJob> runs = new HashMap<>();
    private final ControlLoop loop = new ControlLoop("test-job-controller", this::pass);
    private volatile Optional<String> refusal = Optional.empty();

    public JobController(ClusterObjects objects, ClusterTime time, PacedClock clock) {
        this.objects = objects;
        this.clock = clock;
        EventRecorder events = new EventRecorder(objects, time, "job-controller");
        this.surroundings = new SimulatedJob.SimulatedJobContext(objects, events, clock, time::stamp, () -> refusal);
        objects.follow(this::changed);
        loop.start();
    }

    /** Makes no pods from now on, for the given reason, which quotas and policies append to {@code is forbidden: }. */
    public void refusePods(String why) {
        refusal = Optional.of(why);
    }

    public void allowPods() {
        refusal = Optional.empty();
        loop.poke();
    }

    /** Advances the time at once. */
    public void advance(Duration by) {
        clock.advance(by);
        loop.poke();
    }

    /** Sets the seconds of the Jobs' time that pass in one real second. */
    public void pace(double factor) {
        clock.pace(factor);
        loop.poke();
    }

    private void changed(Change change) {
        if (change.isOf(Job.class) || change.isOf(Pod.class)) {
            loop.poke();
        }
    }

    private Optional<Duration> pass() {
        List<Pod> pods = objects.list(Pod.class);
        return objects.list(Job.class).stream()
                .flatMap(job -> run(job).pass(job, JobPods.of(job, pods)).stream())
                .filter(Duration::isPositive)
                .min(Comparator.naturalOrder())
                .map(clock::real);
    }

    private SimulatedJob run(Job job) {
        return runs.computeIfAbsent(job.getMetadata().getUid(), uid -> new SimulatedJob(surroundings));
    }

    @Override
    public void close() {
        loop.close();
    }
}
