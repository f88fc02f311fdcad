package dev.outpost.runtime.session;

import dev.outpost.channel.frame.ConnectionMessages;
import dev.outpost.channel.frame.NegotiatedProtocol;
import dev.outpost.channel.frame.ProtocolVersions;
import dev.outpost.channel.rpc.MemberSnapshot;
import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Hello;
import dev.outpost.runtime.session.context.RuntimeContext;
import dev.outpost.runtime.session.grant.GrantAccount;
import dev.outpost.runtime.session.grant.GrantStats;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.runtime.session.stats.RuntimeLoad;
import dev.outpost.runtime.session.stats.SessionStats;
import dev.outpost.runtime.session.stats.WorkCounters;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The sessions of a runtime, and the total work of the sessions that were removed. */
final class Sessions {
    /**
     * The maximum number of ended sessions that are kept, so that their clients can learn the reason. If there are
     * more, the oldest ones are removed before their lease ends.
     */
    private static final int MAX_OVER = 256;

    private final RuntimeContext runtime;
    private final SessionOwners owners = new SessionOwners();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<UUID, Session> byId = new ConcurrentHashMap<>();
    private long opened;
    private WorkCounters workOfGone = WorkCounters.NONE;

    /** The reason why new sessions are refused; null while they are accepted. */
    private volatile End newRefused;

    private End allRefused;

    Sessions(RuntimeContext runtime) {
        this.runtime = runtime;
    }

    /** Negotiates the protocol with a client. Refuses the client if there is no common version. */
    NegotiatedProtocol agree(Hello hello) {
        ProtocolVersions ownVersions = runtime.settings().versions();
        return ownVersions.agree(hello).orElseThrow(() -> new EndedException(refusal(ownVersions, hello)));
    }

    private static End refusal(ProtocolVersions ownVersions, Hello hello) {
        String sentence = "the client speaks protocol " + ProtocolVersions.name(hello.getVersions()) + ", this machine "
                + ownVersions + ": use a client and a machine of which one is at most one version newer";
        return ConnectionMessages.end(FaultMessages.of(FaultKind.USER, sentence), End.Cause.VERSION).toBuilder()
                .setVersions(ownVersions.versions())
                .build();
    }

    /** Returns the session that a hello asks for: a new or an existing one. */
    Session greet(Hello hello, GrantAccount grant) {
        lock.lock();
        try {
            requireAdmission(hello.getResume() ? allRefused : newRefused);
            UUID id = ConnectionMessages.session(hello);
            Session existing = byId.get(id);
            requireInForce(grant);
            return hello.getResume() ? requireKnown(existing, grant) : open(existing, id, grant);
        } finally {
            lock.unlock();
        }
    }

    boolean refusesNew() {
        return newRefused != null;
    }

    /** Refuses new sessions from now on. Returns all sessions. */
    List<Session> refuseNew(End reason) {
        lock.lock();
        try {
            newRefused = reason;
            return List.copyOf(byId.values());
        } finally {
            lock.unlock();
        }
    }

    /** Refuses new and existing sessions from now on. Returns all sessions. */
    List<Session> refuseAll(End reason) {
        lock.lock();
        try {
            allRefused = reason;
            return refuseNew(reason);
        } finally {
            lock.unlock();
        }
    }

    /** Returns true if the engine computes or a client has not received all answers. */
    boolean isBusy() {
        return runtime.scheduler().isAnyTaken() || byId.values().stream().anyMatch(Session::isAtWork);
    }

    /** Returns the number of sessions that have not ended. */
    int open() {
        return (int) byId.values().stream().filter(session -> !session.isOver()).count();
    }

    RuntimeLoad load() {
        return byId.values().stream().map(Session::load).reduce(RuntimeLoad.NONE, RuntimeLoad::plus);
    }

    /** Returns the work of all sessions, including removed ones. Never decreases. */
    WorkCounters work() {
        lock.lock();
        try {
            return byId.values().stream().map(Session::work).reduce(workOfGone, WorkCounters::plus);
        } finally {
            lock.unlock();
        }
    }

    List<SessionStats> stats() {
        return byId.values().stream()
                .map(Session::stats)
                .sorted(Comparator.comparingLong(SessionStats::number))
                .toList();
    }

    /** Returns the other members of the sessions' groups. */
    List<MemberSnapshot> members() {
        return byId.values().stream()
                .filter(session -> !session.isOver())
                .sorted(Comparator.comparingLong(Session::number))
                .flatMap(session -> session.members().stream())
                .toList();
    }

    /** Returns the latest instructions of each open session, by its number. */
    SortedMap<Long, List<String>> instructions(int max) {
        SortedMap<Long, List<String>> all = new TreeMap<>();
        byId.values().stream()
                .filter(session -> !session.isOver())
                .forEach(session -> all.put(session.number(), session.instructions(max)));
        return all;
    }

    /** Extends the deadlines of all sessions by the time in which the runtime stood still. */
    void extend(long nanos) {
        byId.values().forEach(session -> session.extend(nanos));
    }

    /**
     * Checks all sessions. Called every few milliseconds.
     *
     * @param now nanoseconds of the runtime's clock
     */
    void tick(long now) {
        byId.forEach((id, session) -> tick(id, session, now));
    }

    private void tick(UUID id, Session session, long now) {
        try {
            session.tick(now);
            if (session.isForgettable()) {
                forget(id, session);
            }
        } catch (OutpostException failure) {
            session.end(FaultMessages.of(failure));
        } catch (RuntimeException failure) {
            session.end(FaultMessages.of(FaultKind.INTERNAL, "the session failed on the machine: " + failure));
            runtime.internalErrorLog().report("session " + session.number() + " failed", failure);
        }
    }

    private static void requireAdmission(End refusal) {
        if (refusal != null) {
            throw new EndedException(refusal);
        }
    }

    private void requireInForce(GrantAccount grant) {
        grant.over(runtime.grants().now()).ifPresent(why -> {
            throw new OutpostException(FaultKind.EXTERNAL, why + ": ask for another one");
        });
    }

    /**
     * Returns the session if it exists and belongs to this grant. The refusal is the same in both cases, so it does not
     * reveal other grants' sessions.
     */
    private static Session requireKnown(Session existing, GrantAccount grant) {
        if (existing == null || existing.grant() != grant) {
            throw new OutpostException(
                    FaultKind.EXTERNAL,
                    "the machine does not know the session: it was restarted, or the lease ran out");
        }
        return existing;
    }

    private Session open(Session existing, UUID id, GrantAccount grant) {
        if (existing != null) {
            // The welcome to the client that opened the session may have been lost.
            if (existing.isUntouched() && existing.grant() == grant) {
                return existing;
            }
            throw new OutpostException(FaultKind.USER, "the session exists already");
        }
        int max = runtime.limits().sessions();
        if (open() >= max) {
            throw runtime.limitCounters()
                    .refuse(RuntimeLimit.SESSIONS, "the machine serves " + max + " sessions already");
        }
        requireRoom(grant);
        forgetOldest();
        Session session = new Session(++opened, runtime, owners, grant);
        byId.put(id, session);
        return session;
    }

    private void requireRoom(GrantAccount grant) {
        int max = grant.terms().sessions().orElse(Integer.MAX_VALUE);
        if (open(grant) >= max) {
            throw runtime.limitCounters()
                    .refuse(RuntimeLimit.GRANT_SESSIONS, "the grant has " + max + " sessions open already");
        }
    }

    /** Returns the number of sessions of a grant that have not ended. */
    private int open(GrantAccount grant) {
        return (int) byId.values().stream()
                .filter(session -> session.grant() == grant && !session.isOver())
                .count();
    }

    /** Returns the use of each grant except the owner's. */
    List<GrantStats> grants() {
        Instant now = runtime.grants().now();
        long nanos = runtime.now();
        lock.lock();
        try {
            return runtime.grants().accounts().stream()
                    .map(grant -> stats(grant, now, nanos))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    private GrantStats stats(GrantAccount grant, Instant now, long nanos) {
        long engineNanos = byId.values().stream()
                .filter(session -> session.grant() == grant)
                .mapToLong(session -> session.work().engineNanos())
                .sum();
        return new GrantStats(
                grant.tokenSha256(),
                grant.terms(),
                open(grant),
                grant.lastHeard().map(heard -> now.minusNanos(Math.max(0, nanos - heard))),
                grant.memory().used(),
                engineNanos + grant.engineNanosOfGone());
    }

    /**
     * Removes the oldest ended session if there are too many, so that a client whose sessions fail one after the
     * other cannot fill the memory.
     */
    private void forgetOldest() {
        if (byId.size() >= runtime.limits().sessions() + MAX_OVER) {
            byId.entrySet().stream()
                    .filter(entry -> entry.getValue().isOver())
                    .min(Comparator.comparingLong(entry -> entry.getValue().number()))
                    .ifPresent(oldest -> forget(oldest.getKey(), oldest.getValue()));
        }
    }

    private void forget(UUID id, Session session) {
        lock.lock();
        try {
            if (byId.remove(id, session)) {
                workOfGone = workOfGone.plus(session.work());
                session.grant().forget(session.work());
            }
        } finally {
            lock.unlock();
        }
        owners.forget(session);
        session.forget();
    }
}
