package dev.outpost.runtime.session.run;

import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.SharedQuotas;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.load.Loads;
import dev.outpost.runtime.session.memory.IndexFaults;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.runtime.session.peer.SessionPeers;
import dev.outpost.runtime.session.schedule.HeldTime;
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.runtime.session.stats.SessionCounters;
import dev.outpost.runtime.session.upload.Uploads;

/**
 * The parts of a session.
 *
 * @param session the session's number
 * @param runtime the context that all sessions share
 * @param memory allocates the session's storages
 * @param uploads the data that the client is sending
 * @param loads the session's loads from sources
 * @param models the open models of other libraries; used by the worker thread alone
 * @param values the session's values; used by the worker thread alone
 * @param faults the session's failures
 * @param indexFaults merges the failures of one index; used by the worker thread alone
 * @param counters the session's work so far
 * @param scanRequests the client's messages about scans
 * @param slice the session's right to use the engine; used by the worker thread alone
 * @param device measures the session's work on an asynchronous engine; null if the engine is synchronous
 * @param peers the group of which the session is a member
 * @param log the log of the session's messages and instructions; null if nothing is logged
 */
public record SessionContext(
        long session,
        RuntimeContext runtime,
        SessionMemory memory,
        Uploads uploads,
        Loads loads,
        SessionModels models,
        SessionValues values,
        Faults faults,
        IndexFaults indexFaults,
        SessionCounters counters,
        ScanRequests scanRequests,
        TimeSlice slice,
        DeviceMeter device,
        SessionPeers peers,
        InstructionLog log) {

    public static SessionContext of(long session, RuntimeContext runtime, GrantAccount grant) {
        SessionCounters counters = new SessionCounters();
        SharedQuotas sharedQuotas = runtime.sharedQuotas();
        SharedQuota.Part quota =
                sharedQuotas.liveBytes().part(runtime.settings().quotaBytes(), grant.memory());
        SessionMemory memory = new SessionMemory(session, runtime.engine(), quota, runtime.limitCounters());
        Uploads uploads = new Uploads(
                memory,
                runtime.engine(),
                sharedQuotas.uploads().part(runtime.limits().uploads()),
                runtime.limitCounters());
        DeviceMeter device =
                runtime.engine().isAsynchronous() ? new DeviceMeter(runtime.engine(), counters, runtime.clock()) : null;
        TimeSlice slice = device == null
                ? runtime.scheduler().enter(counters.turnWaitNanos, new HeldTime(), grant.timeShare(), () -> {})
                : runtime.scheduler().enter(counters.turnWaitNanos, device, grant.timeShare(), device::close);
        return new SessionContext(
                session,
                runtime,
                memory,
                uploads,
                new Loads(session, memory, runtime.loaded(), runtime.clock()),
                new SessionModels(memory, runtime.engine(), runtime.models()),
                new SessionValues(sharedQuotas.values().part(SessionValues.MAX), runtime.limitCounters()),
                new Faults(runtime.internalErrorLog()),
                new IndexFaults(),
                counters,
                new ScanRequests(runtime.limitCounters()),
                slice,
                device,
                new SessionPeers(runtime.peers(), runtime.engine().collectives()),
                runtime.log() == null ? null : runtime.log().named("session " + session));
    }

    public Engine engine() {
        return runtime.engine();
    }
}
