package dev.outpost.runtime.server;

import dev.outpost.channel.rpc.InstructionSnapshot;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.channel.rpc.WatchRequest;
import dev.outpost.runtime.session.RuntimeHost;
import dev.outpost.runtime.session.context.Executed;
import dev.outpost.runtime.session.context.Watch;
import dev.outpost.runtime.session.stats.SessionSnapshots;
import io.smallrye.mutiny.Multi;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;

/** Sends reports of the machine's activity to watchers. Slow readers receive fewer reports. */
@Singleton
final class Watching {
    private static final int DEFAULT_MILLIS = 1000;
    private static final int MIN_MILLIS = 100;

    /** The maximum number of instructions in a report. The others are only counted. */
    private static final int INSTRUCTIONS = 256;

    private final RuntimeHost host;
    private final RuntimeInfo info;

    Watching(RuntimeHost host, RuntimeInfo info) {
        this.host = host;
        this.info = info;
    }

    Multi<Snapshot> watch(WatchRequest request) {
        int said = request.getIntervalMillis();
        Duration interval = Duration.ofMillis(said == 0 ? DEFAULT_MILLIS : Math.max(said, MIN_MILLIS));
        return request.getInstructions()
                ? Multi.createFrom()
                        .resource(host::watch, watch -> ticks(interval).map(tick -> withInstructions(watch)))
                        .withFinalizer(Watch::close)
                : ticks(interval).map(tick -> snapshot().build());
    }

    private static Multi<Long> ticks(Duration interval) {
        return Multi.createFrom()
                .ticks()
                .startingAfter(Duration.ofMillis(1))
                .every(interval)
                .onOverflow()
                .drop();
    }

    private Snapshot withInstructions(Watch watch) {
        List<Executed> all = watch.drain();
        List<Executed> told = all.subList(Math.max(0, all.size() - INSTRUCTIONS), all.size());
        Snapshot.Builder snapshot = snapshot().setInstructionsLeftOut(watch.dropped() + all.size() - told.size());
        told.forEach(executed -> snapshot.addInstructions(InstructionSnapshot.newBuilder()
                .setSession(executed.session())
                .setOp(executed.op())
                .setResult(executed.results())
                .setNanos(executed.nanos())));
        return snapshot.build();
    }

    private Snapshot.Builder snapshot() {
        RuntimeInfo.Description machine = info.describe();
        Snapshot.Builder snapshot = Snapshot.newBuilder()
                .setUptimeMillis(machine.uptime().toMillis())
                .setVersion(machine.version())
                .setEngine(machine.engine())
                .setDevice(machine.device())
                .setLiveBytes(host.liveBytes())
                .setQuotaBytes(machine.quotaBytes())
                .setMaxSessions(machine.limits().sessions())
                .setPlans(host.stats().plans())
                .setDraining(machine.draining());
        host.sessions().forEach(session -> snapshot.addSessions(SessionSnapshots.of(session)));
        host.members().forEach(snapshot::addMembers);
        return snapshot;
    }
}
