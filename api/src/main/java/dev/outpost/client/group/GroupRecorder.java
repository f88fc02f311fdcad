package dev.outpost.client.group;

import dev.outpost.client.numbers.RandomStream;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.MemoryAccount;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.session.MachineRecorder;
import dev.outpost.client.session.MachineSession;
import dev.outpost.client.sharding.RecordedSegment;
import dev.outpost.client.start.StartSpec;
import dev.outpost.client.transfer.ElementSource;
import dev.outpost.client.waits.SessionSettings;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.op.Upload;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.GroupStats;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.TensorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Records for a group of machines. Each segment is recorded once and rewritten into one for each member. The group has one ledger, and a
 * session for each member; the loss of one member ends all of them. Thread-safe.
 */
public final class GroupRecorder extends MachineRecorder {
    /** The longest wait of a member for another one in an exchange. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private final List<StartSpec> starts;
    private final Duration timeout;
    private final GroupUploads uploads;

    private volatile GroupSession life;
    private volatile WireFormat sumFormat = WireFormat.EXACT;

    /**
     * Begins recording, and asks for the machines.
     *
     * @param name the group's name in logs and errors
     * @param random the stream that random tensors draw from
     * @param starts the start of each member, by rank
     * @param isScoped returns true if a scope frees the tensors of the calling thread, so that they never wait for the collector
     * @param timeout the longest wait of a member for another one in an exchange; empty for five minutes
     */
    public GroupRecorder(
            String name,
            SessionSettings settings,
            RandomStream random,
            List<StartSpec> starts,
            BooleanSupplier isScoped,
            Optional<Duration> timeout) {
        super(name, settings, random, isScoped);
        this.starts = List.copyOf(starts);
        this.timeout = timeout.orElse(TIMEOUT);
        this.uploads = new GroupUploads(starts.size());
        restart();
    }

    @Override
    protected GroupSession session() {
        return life;
    }

    @Override
    public void restart() {
        MemoryAccount account = new MemoryAccount();
        List<MachineSession> members = new ArrayList<>();
        for (int rank = 0; rank < starts.size(); rank++) {
            MachineSession session = new MachineSession(
                    memberName(rank), settings, starts.get(rank), recording, account, Optional.empty());
            if (life != null) {
                session.restarts("with its group, in place of machines that are lost");
            }
            if (rank > 0) {
                session.delivery().giveNoHints();
            }
            members.add(session);
        }
        GroupDelivery delivery = new GroupDelivery(
                members.stream().map(MachineSession::delivery).toList(),
                recording::nextId,
                () ->
                        // Runs on another thread, because this thread holds the ledger's lock and a machine without
                        // the feature ends the group.
                        Thread.ofVirtual()
                                .name("outpost-group-" + name)
                                .start(() -> members.forEach(MachineSession::drawParts)));
        delivery.sumFormat(sumFormat);
        GroupSession next = new GroupSession(
                UUID.randomUUID().toString(),
                recording,
                members,
                delivery,
                new CompletableFuture<>(),
                new AtomicBoolean());
        begin(next.lead(), delivery, account);
        GroupTermination end = end(next);
        for (int rank = 0; rank < members.size(); rank++) {
            int lost = rank;
            members.get(rank).becomeMember(next.id(), end::onBroken);
            members.get(rank).whenOver(reason -> end.memberIsOver(lost, reason));
        }
        life = next;
        if (sumFormat != WireFormat.EXACT) {
            members.forEach(MachineSession::roundSums);
        }
        members.forEach(MachineSession::begin);
        join(next, end);
    }

    private void join(GroupSession group, GroupTermination end) {
        new GroupJoin(group, timeout).begin().whenComplete((backend, failure) -> {
            if (failure == null) {
                passSegments(group);
                group.joined().complete(backend);
            } else {
                end.onJoinFailed(failure);
            }
        });
    }

    private void passSegments(GroupSession group) {
        if (group.members().stream().allMatch(MachineSession::passesSegments)) {
            group.delivery().passSegments();
        }
    }

    private String memberName(int rank) {
        return name + "[" + rank + "]";
    }

    // ---- placements

    /** Runs a body whose uploads on this thread get this placement. */
    public <T> T placing(Function<TensorType, Sharding> placement, Supplier<T> body) {
        return uploads.placing(placement, body);
    }

    /** Sets the format in which large sums are sent from now on. Sums that were recorded before keep their format. */
    public void sumFormat(WireFormat format) {
        recording.endAllSegments();
        recording.guarded(() -> {
            sumFormat = format;
            life.delivery().sumFormat(format);
            return null;
        });
        if (format != WireFormat.EXACT) {
            life.members().forEach(MachineSession::roundSums);
        }
    }

    @Override
    public Sharding sharding(Storage storage) {
        return recording.ofSealed(storage.handle(), life.delivery()::sharding);
    }

    /** Returns the latest recorded exchanges, at most 10,000. */
    public List<GroupExchange> exchanges() {
        return recording.guarded(() -> life.delivery().latestExchanges());
    }

    /**
     * Returns a description of how the members exchange; empty before they are connected, or if there is nothing to
     * report.
     */
    public String backend() {
        return life.backend();
    }

    /** Returns the counters of all recorded exchanges. */
    public GroupStats groupStats() {
        return recording.guarded(() -> life.delivery().groupStats());
    }

    /** Runs a body, and returns the segments of all threads that are sealed meanwhile. */
    public List<RecordedSegment> recording(Runnable body) {
        GroupDelivery delivery = life.delivery();
        recording.endAllSegments();
        recording.guarded(() -> {
            delivery.startRecording();
            return null;
        });
        try {
            body.run();
            recording.endAllSegments();
        } catch (RuntimeException failure) {
            recording.guarded(delivery::stopRecording);
            throw failure;
        }
        return recording.guarded(delivery::stopRecording);
    }

    public int size() {
        return starts.size();
    }

    // ---- uploads and programs

    @Override
    public RemoteValue upload(TensorType type, ElementSource elements) {
        GroupSession target = life;
        target.awaitRoom();
        Sharding sharding = uploads.placement(type);
        long upload = uploads.next();
        target.delivery().place(upload, sharding);
        RemoteValue value = recording.record(new Upload(type, upload), type, target.lead());
        try {
            GroupUploads.send(target, upload, type, sharding, elements);
        } catch (OutpostException failure) {
            value.abandon();
            throw failure;
        }
        runIfEager(value);
        return value;
    }

    /**
     * The rest of the call sends the runs and returns after the last run. Between two runs it reads the condition
     * that ends the scan.
     */
    @Override
    public ProgramCalled run(ProgramRun run, RemoteScan scan) {
        return new GroupScan(life, recording, calls, scan).run(run);
    }

    @Override
    public void drop(RemoteProgram program) {
        // The members keep no programs.
    }

    @Override
    public Optional<Explanation> explain(RemoteProgram program) {
        throw new OutpostException(
                FaultKind.USER,
                "explain: a group of machines plans each run of a program for itself; explain a tensor that it"
                        + " computes");
    }

    @Override
    public void close() {
        end(life).close();
    }

    private GroupTermination end(GroupSession group) {
        return new GroupTermination(name, group, settings.lossTimeout(), settings.closeTimeout());
    }
}
