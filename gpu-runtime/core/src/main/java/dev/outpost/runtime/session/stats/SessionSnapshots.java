package dev.outpost.runtime.session.stats;

import dev.outpost.channel.rpc.SessionSnapshot;

/** Converts sessions to snapshots for watchers. */
public final class SessionSnapshots {
    private SessionSnapshots() {}

    public static SessionSnapshot of(SessionStats session) {
        LaneTraffic traffic = session.work().traffic();
        return SessionSnapshot.newBuilder()
                .setNumber(session.number())
                .setConnected(session.connected())
                .setAgeMillis(session.age().toMillis())
                .setLiveBytes(session.load().liveBytes())
                .setLiveValues(session.load().liveValues())
                .setQueuedMessages(session.load().queuedMessages())
                .setUploadsInFlight(session.load().uploads())
                .setSegments(session.work().segments())
                .setKernels(session.work().kernels())
                .setEngineNanos(session.work().engineNanos())
                .setTurnWaitNanos(session.work().turnWaitNanos())
                .addAllBytesIn(traffic.in().values())
                .addAllBytesOut(traffic.out().values())
                .build();
    }
}
