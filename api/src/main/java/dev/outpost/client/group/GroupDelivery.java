package dev.outpost.client.group;

import dev.outpost.channel.DebugLog;
import dev.outpost.client.program.ProgramCalled;
import dev.outpost.client.program.ProgramRun;
import dev.outpost.client.program.RemoteProgram;
import dev.outpost.client.program.RemoteScan;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.SealedSegment;
import dev.outpost.client.record.SegmentTimes;
import dev.outpost.client.session.Delivery;
import dev.outpost.client.session.ProgramTable;
import dev.outpost.client.session.SessionDelivery;
import dev.outpost.client.sharding.Exchanges;
import dev.outpost.client.sharding.GroupProgram;
import dev.outpost.client.sharding.MemberProgram;
import dev.outpost.client.sharding.RecordedSegment;
import dev.outpost.client.sharding.SignalPlacement;
import dev.outpost.client.sharding.SpmdRewrite;
import dev.outpost.protocol.ir.Graph;
import dev.outpost.protocol.ir.RecordedGraph;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.op.Op;
import dev.outpost.protocol.op.WireFormat;
import dev.outpost.sharding.GroupExchange;
import dev.outpost.sharding.GroupStats;
import dev.outpost.sharding.Sharding;
import dev.outpost.types.TensorType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Delivers recorded segments to the members of a group: rewrites each segment into one for each member. The id and the placement of a value
 * are the same on all members. Guarded by the ledger's lock, except for methods that any thread may call.
 */
final class GroupDelivery implements SessionDelivery, Exchanges {
    /** The number of latest exchanges that are kept for reports. */
    private static final int MAX_REMEMBERED = 10_000;

    /**
     * A value of the program.
     *
     * @param id the value's id on the members
     */
    private record Placed(long id, Sharding sharding) {}

    private final List<Delivery> members;
    private final LongSupplier ids;
    private final Map<Long, Placed> values = new HashMap<>();
    private final Map<Long, Sharding> uploads = new ConcurrentHashMap<>();
    private final ArrayDeque<GroupCall> scans = new ArrayDeque<>();
    private final ArrayDeque<GroupExchange> latest = new ArrayDeque<>();
    private final SegmentPassing passing = new SegmentPassing();
    /** Null unless segments are kept as they were recorded. */
    private List<RecordedSegment> recording;

    private GroupStats stats = GroupStats.NOTHING;
    private long lastExchange;
    private long program;
    private WireFormat format = WireFormat.EXACT;
    private boolean drawsParts;
    private final Runnable onParts;

    /**
     * @param members the members by rank; the first one answers questions
     * @param ids draws ids of values that the program does not know
     * @param onParts runs once, when members first create parts of random tensors; must not block
     */
    GroupDelivery(List<Delivery> members, LongSupplier ids, Runnable onParts) {
        this.members = members;
        this.ids = ids;
        this.onParts = onParts;
    }

    // ---- placements

    /** Sets the placement of the data of the upload that is recorded next. Any thread may call it. */
    void place(long upload, Sharding sharding) {
        uploads.put(upload, sharding);
    }

    /** Returns the placement of a value whose segment was sealed. */
    Sharding sharding(RemoteValue value) {
        return placed(value.id()).sharding();
    }

    private Placed placed(long id) {
        Placed placed = values.get(id);
        if (placed == null) {
            throw new IllegalStateException("value %" + id + " was never placed");
        }
        return placed;
    }

    /** Begins to keep segments as they were recorded. */
    void startRecording() {
        recording = new ArrayList<>();
    }

    /** Stops keeping segments, and returns the kept ones. */
    List<RecordedSegment> stopRecording() {
        List<RecordedSegment> recorded = recording;
        recording = null;
        return recorded;
    }

    List<GroupExchange> latestExchanges() {
        return List.copyOf(latest);
    }

    GroupStats groupStats() {
        return stats;
    }

    @Override
    public long next() {
        return ++lastExchange;
    }

    @Override
    public long program() {
        return program;
    }

    @Override
    public void drawsParts() {
        if (!drawsParts) {
            drawsParts = true;
            onParts.run();
        }
    }

    @Override
    public WireFormat format() {
        return format;
    }

    /** Sets the format in which large sums are sent, for segments that are sealed from now on. */
    void sumFormat(WireFormat newFormat) {
        format = newFormat;
    }

    // ---- segments

    /** Called when the members are connected, and all pass segments on to each other. Any thread may call it. */
    void passSegments() {
        passing.open();
    }

    @Override
    public void recorded(Op op, Object[] operands, RemoteValue[] results) {
        members.getFirst().recorded(op, operands, results);
    }

    @Override
    public void segment(SealedSegment sealed) {
        TensorType[] types = sealed.inputs().stream().map(RemoteValue::type).toArray(TensorType[]::new);
        run(
                sealed.graph().graph(types),
                sealed.signals(),
                sealed.graph().inputs(),
                sealed.graph().outputs(),
                sealed.lastingBytes(),
                sealed.times());
    }

    /**
     * Makes the members run a program.
     *
     * @param signals the placement of each instruction that was recorded within a signal, by instruction
     * @param inputs the ids of the inputs
     * @param outputs the ids of the outputs
     */
    private void run(
            Graph graph,
            Map<Integer, SignalPlacement> signals,
            long[] inputs,
            long[] outputs,
            long lastingBytes,
            SegmentTimes times) {
        program = graph.structure().hashCode();
        List<Placed> placed = Arrays.stream(inputs).mapToObj(this::placed).toList();
        if (recording != null) {
            List<Sharding> shardings = placed.stream().map(Placed::sharding).toList();
            recording.add(new RecordedSegment(graph, signals, inputs, shardings, outputs));
        }
        GroupProgram group = SpmdRewrite.rewrite(
                graph, signals, placed.stream().map(Placed::sharding).toList(), members.size(), uploads::remove, this);
        long[] rebound = new long[inputs.length];
        Arrays.setAll(rebound, input -> group.rebound().get(input).isPresent() ? ids.getAsLong() : 0);
        // All segments are written before the first is sent. If a later one could not be written, the members that
        // have a segment would wait for the other members.
        List<RecordedGraph> written = group.members().stream()
                .map(own -> MemberSegment.write(own, idsOf(placed), outputs, rebound))
                .toList();
        for (int rank = 0; rank < members.size(); rank++) {
            if (isIdle(group, rank)) {
                free(rank, graph, placed);
            }
        }
        if (DebugLog.GROUPS.isOn()) {
            DebugLog.GROUPS.print(
                    "%d instructions become %s on the members, with %d exchanges; results are %s",
                    graph.instructions().size(),
                    group.members().stream()
                            .map(member -> member.graph().instructions().size())
                            .toList(),
                    group.exchanges().size(),
                    group.outputs());
        }
        send(group, written, lastingBytes, times);
        log(group.members(), outputs, group.outputs());
        remember(group, graph, inputs, outputs, rebound);
    }

    /** Sends each member its segment, if the member has something to compute. */
    private void send(GroupProgram group, List<RecordedGraph> written, long lastingBytes, SegmentTimes times) {
        List<Integer> ranks = IntStream.range(0, members.size())
                .filter(rank -> !isIdle(group, rank))
                .boxed()
                .toList();
        List<SealedSegment> segments = ranks.stream()
                .map(rank -> new SealedSegment(written.get(rank), List.of(), Map.of(), lastingBytes, times))
                .toList();
        List<Message> messages = new ArrayList<>();
        for (int place = 0; place < ranks.size(); place++) {
            messages.add(members.get(ranks.get(place)).message(segments.get(place)));
        }
        List<Message> carriers = passing.carriers(ranks, messages, program);
        for (int place = 0; place < ranks.size(); place++) {
            members.get(ranks.get(place)).segment(segments.get(place), messages.get(place), carriers.get(place));
        }
    }

    private static boolean isIdle(GroupProgram group, int rank) {
        return group.members().get(rank).graph().instructions().isEmpty();
    }

    private void log(List<MemberProgram> programs, long[] outputs, List<Sharding> placements) {
        for (int rank = 0; rank < members.size(); rank++) {
            Delivery member = members.get(rank);
            if (member.isLogged()) {
                MemberText.of(programs.get(rank), outputs, placements).forEach(member::runs);
            }
        }
    }

    private static long[] idsOf(List<Placed> placed) {
        return placed.stream().mapToLong(Placed::id).toArray();
    }

    /** Frees the inputs that end with a segment, on a member that runs no part of the segment. */
    private void free(int rank, Graph graph, List<Placed> placed) {
        List<Long> dying = new ArrayList<>();
        for (int input = 0; input < placed.size(); input++) {
            boolean isThere = placed.get(input).sharding().workers().contains(rank);
            if (isThere && graph.structure().isDying(input)) {
                dying.add(placed.get(input).id());
            }
        }
        if (!dying.isEmpty()) {
            members.get(rank).free(dying.stream().mapToLong(id -> id).toArray());
        }
    }

    private void remember(GroupProgram group, Graph graph, long[] inputs, long[] outputs, long[] rebound) {
        for (int output = 0; output < outputs.length; output++) {
            values.put(
                    outputs[output], new Placed(outputs[output], group.outputs().get(output)));
        }
        for (int input = 0; input < inputs.length; input++) {
            Optional<Sharding> changed = group.rebound().get(input);
            if (graph.structure().isDying(input)) {
                values.remove(inputs[input]);
            } else if (changed.isPresent()) {
                freeOnMembers(placed(inputs[input]));
                values.put(inputs[input], new Placed(rebound[input], changed.get()));
            }
        }
        note(group);
    }

    private void note(GroupProgram group) {
        for (GroupExchange exchange : group.exchanges()) {
            stats = stats.with(exchange);
            if (latest.size() == MAX_REMEMBERED) {
                latest.remove();
            }
            latest.add(exchange);
            DebugLog.GROUPS.print("%s", exchange);
        }
    }

    // ---- the end of values

    @Override
    public void free(long[] freed) {
        for (long id : freed) {
            Placed placed = values.remove(id);
            if (placed != null) {
                freeOnMembers(placed);
            }
        }
    }

    private void freeOnMembers(Placed placed) {
        placed.sharding().workers().forEach(rank -> members.get(rank).free(new long[] {placed.id()}));
    }

    // ---- questions

    @Override
    public void fetch(long fetch, RemoteValue value) {
        fetch(fetch, value.id(), value.type());
    }

    /** Fetches a value from the first member, after the other members have sent it their parts. */
    void fetch(long fetch, long value, TensorType type) {
        long whole = onLead(value, type);
        members.getFirst().fetch(fetch, whole);
        doneOnLead(value, whole);
    }

    @Override
    public long onLead(RemoteValue value) {
        return onLead(value.id(), value.type());
    }

    @Override
    public void doneOnLead(RemoteValue value, long whole) {
        doneOnLead(value.id(), whole);
    }

    private void doneOnLead(long value, long whole) {
        if (whole != placed(value).id()) {
            members.getFirst().free(new long[] {whole});
        }
    }

    private long onLead(long value, TensorType type) {
        Placed placed = placed(value);
        boolean isThere =
                placed.sharding().isReplicated() && placed.sharding().workers().contains(0);
        if (isThere) {
            return placed.id();
        }
        long gathered = ids.getAsLong();
        GroupProgram group = gather(type, placed);
        List<RecordedGraph> written = group.members().stream()
                .map(own -> MemberSegment.write(own, new long[] {placed.id()}, new long[] {gathered}, new long[1]))
                .toList();
        send(group, written, 0, null);
        log(group.members(), new long[] {gathered}, group.outputs());
        return gathered;
    }

    /** Makes the program that sends a whole value to the first member. */
    private GroupProgram gather(TensorType type, Placed placed) {
        program = type.hashCode();
        GroupProgram group = SpmdRewrite.gather(type, placed.sharding(), members.size(), 0, this);
        note(group);
        return group;
    }

    @Override
    public void explain(long request, RemoteValue value) {
        long whole = onLead(value);
        members.getFirst().explain(request, whole);
        doneOnLead(value, whole);
    }

    // ---- programs

    @Override
    public void define(RemoteProgram called) {
        // The members get each run as a segment, so they need no program.
    }

    /** Runs a plain call. Only begins a scan: {@link #takeBegun} returns it. */
    @Override
    public void call(ProgramRun run, ProgramCalled called, boolean[] consumed, RemoteScan scan, long bytes) {
        TensorType[] types =
                Arrays.stream(called.inputs()).map(RemoteValue::type).toArray(TensorType[]::new);
        GroupCall begun = new GroupCall(
                run.program(), ProgramTable.call(run, called, consumed, scan), types, new Members(bytes), ids);
        if (scan == null) {
            begun.runOnce();
        } else {
            scans.add(begun);
        }
    }

    /** Returns the scan that was called last. */
    GroupCall takeBegun() {
        return scans.remove();
    }

    private final class Members implements GroupCall.Members {
        private final long bytes;

        Members(long bytes) {
            this.bytes = bytes;
        }

        @Override
        public void run(Graph graph, Map<Integer, SignalPlacement> signals, long[] inputs, long[] outputs) {
            GroupDelivery.this.run(graph, signals, inputs, outputs, bytes, null);
        }

        @Override
        public void fetch(long fetch, long id, TensorType type) {
            GroupDelivery.this.fetch(fetch, id, type);
        }

        @Override
        public void free(long[] freed) {
            GroupDelivery.this.free(freed);
        }
    }

    @Override
    public void drop(RemoteProgram dropped) {
        // The members keep no programs.
    }

    @Override
    public boolean keeps(RemoteProgram asked) {
        return false;
    }

    @Override
    public void explain(long request, RemoteProgram asked) {
        throw new IllegalStateException("the members keep no programs");
    }
}
