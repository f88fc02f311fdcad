package dev.outpost.runtime.session.run;

import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.session.context.Faults;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.context.SharedQuotas;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.load.Loads;
import dev.outpost.runtime.session.memory.SessionMemory;
import dev.outpost.runtime.session.memory.SharedQuota;
import dev.outpost.runtime.session.peer.SessionPeers;
import dev.outpost.runtime.session.schedule.HeldTime;
import dev.outpost.runtime.session.schedule.TimeSlice;
import dev.outpost.runtime.session.stats.DeviceMeter;
import dev.outpost.runtime.session.stats.SessionCounters;
import dev.outpost.runtime.session.upload.Uploads;

/**
 * The parts that a session works with.
 *
 * @param session its number
 * @param machine what it shares with others
 * @param memory where its storages come from
 * @param uploads data on its way in
 * @param loads what it reads from sources
 * @param models those of other libraries that it has open; the worker's alone
 * @param values its values; the worker's alone
 * @param faults what went wrong
 * @param counters what it has done
 * @param scans what its client says of scans
 * @param turn its right to use the engine; the worker's alone
 * @param device what it has an asynchronous engine compute; null where the engine is not
 * @param peers the group that it is a member of
 * @param log the log of the session's messages and instructions; null if nothing is logged
 */
public record SessionContext(
        long session,
        RuntimeContext machine,
        SessionMemory memory,
        Uploads uploads,
        Loads loads,
        SessionModels models,
        SessionValues values,
        Faults faults,
        SessionCounters counters,
        ScanRequests scans,
        TimeSlice turn,
        DeviceMeter device,
        SessionPeers peers,
        InstructionLog log) {

    public static SessionContext of(long session, RuntimeContext machine, GrantAccount grant) {
        SessionCounters counters = new SessionCounters();
        SharedQuotas shares = machine.shares();
        SharedQuota.Part quota = shares.liveBytes().part(machine.settings().quotaBytes(), grant.memory());
        SessionMemory memory = new SessionMemory(session, machine.engine(), quota, machine.refusals());
        Uploads uploads = new Uploads(
                memory, machine.engine(), shares.uploads().part(machine.limits().uploads()), machine.refusals());
        DeviceMeter device =
                machine.engine().isAsynchronous() ? new DeviceMeter(machine.engine(), counters, machine.clock()) : null;
        TimeSlice turn = device == null
                ? machine.turns().enter(counters.turnWaitNanos, new HeldTime(), grant.turns(), () -> {})
                : machine.turns().enter(counters.turnWaitNanos, device, grant.turns(), device::close);
        return new SessionContext(
                session,
                machine,
                memory,
                uploads,
                new Loads(session, memory, machine.loaded(), machine.clock()),
                new SessionModels(memory, machine.engine(), machine.models()),
                new SessionValues(shares.values().part(SessionValues.MOST), machine.refusals()),
                new Faults(machine.defects()),
                counters,
                new ScanRequests(machine.refusals()),
                turn,
                device,
                new SessionPeers(machine.peers(), machine.engine().collectives()),
                machine.log() == null ? null : machine.log().named("session " + session));
    }

    public Engine engine() {
        return machine.engine();
    }
}
