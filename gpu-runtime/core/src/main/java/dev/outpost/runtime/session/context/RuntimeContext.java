package dev.outpost.runtime.session.context;

import dev.outpost.channel.DebugLog;
import dev.outpost.protocol.log.InstructionLog;
import dev.outpost.runtime.engine.Engine;
import dev.outpost.runtime.model.Models;
import dev.outpost.runtime.peer.PeerNetwork;
import dev.outpost.runtime.plan.PlanCache;
import dev.outpost.runtime.plan.Planner;
import dev.outpost.runtime.session.grant.GrantRegistry;
import dev.outpost.runtime.session.load.LoadedValues;
import dev.outpost.runtime.session.memory.LimitCounters;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.schedule.EngineScheduler;
import dev.outpost.runtime.source.Sources;
import dev.outpost.runtime.source.TensorLoads;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The context that the sessions of a runtime share.
 *
 * @param engine the engine that computes
 * @param settings the runtime's settings
 * @param clock a monotonic clock in nanoseconds
 * @param plans the plans of all sessions
 * @param sharedQuotas the resources that all sessions share
 * @param scheduler decides which sessions may use the engine
 * @param limitCounters counts how often each limit was reached
 * @param internalErrorLog counts and logs internal errors
 * @param observers the open watches
 * @param activity the time of the clients' last activity
 * @param sources the sources from which models are read
 * @param loaded the values that were loaded from sources
 * @param models opens models of other libraries
 * @param grants the grants whose tokens open the runtime
 * @param peers the network to other machines
 * @param log the log of the messages and instructions of sessions; null if nothing is logged
 */
public record RuntimeContext(
        Engine engine,
        RuntimeSettings settings,
        LongSupplier clock,
        PlanCache plans,
        SharedQuotas sharedQuotas,
        EngineScheduler scheduler,
        LimitCounters limitCounters,
        InternalErrorLog internalErrorLog,
        RunObservers observers,
        ActivityTracker activity,
        Sources sources,
        LoadedValues loaded,
        Models models,
        GrantRegistry grants,
        PeerNetwork peers,
        InstructionLog log) {

    public static RuntimeContext of(Engine engine, RuntimeSettings settings, LongSupplier clock) {
        return of(engine, Planner.of(engine), settings, clock);
    }

    public static RuntimeContext of(Engine engine, Planner planner, RuntimeSettings settings, LongSupplier clock) {
        LimitCounters limitCounters = new LimitCounters();
        PlanCache plans =
                new PlanCache(planner, settings.limits().plans(), () -> limitCounters.count(RuntimeLimit.PLANS));
        EngineScheduler scheduler = new EngineScheduler(Math.min(settings.turns(), engine.concurrentSlices()), clock);
        Sources sources = new Sources(settings.sources());
        return new RuntimeContext(
                engine,
                settings,
                clock,
                plans,
                SharedQuotas.of(settings, Runtime.getRuntime().maxMemory()),
                scheduler,
                limitCounters,
                new InternalErrorLog(),
                new RunObservers(),
                new ActivityTracker(),
                sources,
                new LoadedValues(engine, new TensorLoads(sources, engine)),
                new Models(engine.name()),
                new GrantRegistry(InstantSource.system()),
                PeerNetwork.none(),
                InstructionLog.open(
                        "outpost.runtime.instruction-log",
                        settings.instructionLog().map(Path::toString).orElse(null),
                        "runtime",
                        DebugLog.sessionEvents()));
    }

    public RuntimeContext withGrants(GrantRegistry newGrants) {
        return with(newGrants, peers);
    }

    public RuntimeContext withPeers(PeerNetwork network) {
        return with(grants, network);
    }

    private RuntimeContext with(GrantRegistry newGrants, PeerNetwork network) {
        return new RuntimeContext(
                engine,
                settings,
                clock,
                plans,
                sharedQuotas,
                scheduler,
                limitCounters,
                internalErrorLog,
                observers,
                activity,
                sources,
                loaded,
                models,
                newGrants,
                network,
                log);
    }

    public Limits limits() {
        return settings.limits();
    }

    public long now() {
        return clock.getAsLong();
    }
}
