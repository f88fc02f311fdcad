package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.Fault;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.op.Unary;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSignature;
import dev.outpost.protocol.tape.ProgramSlots;
import dev.outpost.runtime.session.context.Limits;
import dev.outpost.runtime.session.context.RuntimeSettings;
import dev.outpost.runtime.session.memory.RuntimeLimit;
import dev.outpost.types.FaultKind;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests programs that a session defines and calls, and scans of them. */
class ProgramsTest extends RuntimeTest {
    /** One input that is carried to itself and bound to an id at the end, and a number in the first instruction. */
    private static final ProgramSignature COUNTING = new ProgramSignature(
            List.of(new ProgramSignature.Place(0, 1, 0)),
            1,
            new int[0],
            ProgramSignature.NONE,
            List.of(new ProgramSignature.Carry(0, 0)),
            ProgramSignature.NONE,
            new int[0],
            new int[] {0});

    private static final ProgramSignature EMITTING = new ProgramSignature(
            List.of(),
            0,
            new int[0],
            ProgramSignature.NONE,
            List.of(new ProgramSignature.Carry(0, 0)),
            ProgramSignature.NONE,
            new int[] {0},
            new int[] {0});

    @Override
    RuntimeSettings settings() {
        return super.settings()
                .withTurns(1)
                .withLimits(
                        Limits.DEFAULT.withSegmentTime(Duration.ofMillis(100)).withSessions(4));
    }

    private static Message counting(int slot) {
        return new SegmentBuilder().plusNumber(2, 1, 99).define(slot, COUNTING);
    }

    private static Message negating(int slot) {
        return new SegmentBuilder().neg(2, 1).define(slot, EMITTING);
    }

    private static ProgramCall call(long runs, long input, boolean consumed, long output, double... numbers) {
        long[][] columns = new long[numbers.length == 0 ? 0 : 1][];
        if (numbers.length > 0) {
            columns[0] = new long[numbers.length];
            for (int index = 0; index < numbers.length; index++) {
                columns[0][index] = Double.doubleToRawLongBits(numbers[index]);
            }
        }
        return new ProgramCall(
                runs, new long[] {input}, new boolean[] {consumed}, new long[] {output}, 0, 0, columns, 1, 1000);
    }

    private static Message run(int slot, long scan, ProgramCall call, ProgramCall before, ProgramSignature signature) {
        return new ToRuntime.RunProgram(
                slot, scan, call.since(before == null ? ProgramCall.none(1, signature) : before, signature));
    }

    private WireClient withValue() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        return client;
    }

    @Test
    void eachCallHasItsOwnNumbers() throws InterruptedException {
        var client = withValue();
        client.control(counting(3));
        ProgramCall first = call(1, 1, false, 2, 10);
        ProgramCall second = call(1, 2, true, 3, 0.5);
        client.control(run(3, 0, first, null, COUNTING));
        client.control(run(3, 0, second, first, COUNTING));
        assertArrayEquals(SegmentBuilder.bytes(11.5f, 12.5f), client.fetch(1, 3).bytes());
        assertArrayEquals(SegmentBuilder.bytes(1, 2), client.fetch(2, 1).bytes());
        assertEquals(2, host.sessions().getFirst().load().liveValues());
        assertEquals(3, host.sessions().getFirst().work().segments());
    }

    @Test
    void theLastNumberStandsForAllThatFollow() throws InterruptedException {
        var client = withValue();
        client.control(counting(0));
        client.control(run(0, 1, call(5, 1, true, 2, 100, 10, 1), null, COUNTING));
        assertArrayEquals(
                SegmentBuilder.bytes(114, 115), client.fetchAfterScan(1, 2).bytes());
        assertEquals(1, host.sessions().getFirst().load().liveValues());
    }

    /** A message that is resent after a broken connection is not run twice, and its emissions are sent once. */
    @Test
    void aScanOutlivesTheConnectionAndRunsOnce() throws InterruptedException {
        var client = withValue();
        client.control(negating(0));
        byte[] scan = client.next(
                Lane.CONTROL, run(0, 1, call(6, 1, true, 2), null, EMITTING).encode());
        client.cut();
        client.connect(true);
        client.welcome();
        client.raw(scan);
        client.raw(scan);
        client.cut();
        client.connect(true);
        client.welcome();
        client.raw(scan);
        for (int emission = 1; emission <= 6; emission++) {
            ToClient.Fetched fetched = emission(client);
            assertEquals(emission, fetched.fetch());
            assertArrayEquals(
                    emission % 2 == 0 ? SegmentBuilder.bytes(1, 2) : SegmentBuilder.bytes(-1, -2), fetched.bytes());
        }
        Message last = client.take();
        while (!isLast(last)) {
            assertInstanceOf(ToClient.Scanned.class, last);
            last = client.take();
        }
        assertEquals(new ToClient.Scanned(1, 6, true), last);
        assertArrayEquals(SegmentBuilder.bytes(1, 2), client.fetch(9, 2).bytes());
    }

    @Test
    void emissionsWaitUntilTheyAreGranted() throws InterruptedException {
        var client = withValue();
        client.control(negating(0));
        ProgramCall call =
                new ProgramCall(5, new long[] {1}, new boolean[] {true}, new long[] {2}, 0, 0, new long[0][], 1, 2);
        client.control(run(0, 1, call, null, EMITTING));
        assertEquals(1, emission(client).fetch());
        assertEquals(2, emission(client).fetch());
        var other = withValue();
        other.control(counting(0));
        other.control(run(0, 0, call(1, 1, true, 2, 1), null, COUNTING));
        assertArrayEquals(SegmentBuilder.bytes(2, 3), other.fetch(1, 2).bytes(), "it holds no turn while it waits");
        client.control(new ToRuntime.GrantEmissions(1, 4));
        assertEquals(3, emission(client).fetch());
        assertEquals(4, emission(client).fetch());
        client.control(new ToRuntime.CancelScan(1));
        int more = 0;
        Message next = client.take();
        for (; !isLast(next); next = client.take()) {
            more += next instanceof ToClient.Fetched ? 1 : 0;
        }
        // The fifth run may have begun already.
        assertEquals(new ToClient.Scanned(1, 4 + more, true), next);
        assertTrue(more <= 1, "emitted " + more + " more");
    }

    @Test
    void aSessionWithLittleToDoIsNotHeldUpByAScan() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(10));
        var client = withValue();
        client.control(negating(0));
        ProgramCall endless = new ProgramCall(
                1L << 32, new long[] {1}, new boolean[] {true}, new long[] {2}, 0, 0, new long[0][], 1, 60_000);
        client.control(run(0, 1, endless, null, EMITTING));
        emission(client);
        var other = withValue();
        other.run(new SegmentBuilder().add(Unary.ABS, 2, 1));
        assertArrayEquals(SegmentBuilder.bytes(1, 2), other.fetch(1, 2).bytes());
        client.control(new ToRuntime.CancelScan(1));
    }

    /** The time limit of a segment applies to each run. */
    @Test
    void theTimeOfEachRunIsBounded() throws InterruptedException {
        engine.cost(Unary.NEG, Duration.ofMillis(60));
        var client = withValue();
        client.control(new SegmentBuilder().neg(2, 1).define(0, EMITTING));
        client.control(run(0, 1, call(8, 1, true, 2), null, EMITTING));
        int emissions = 0;
        for (Message next = client.take(); !isLast(next); next = client.take()) {
            emissions += next instanceof ToClient.Fetched ? 1 : 0;
        }
        assertEquals(8, emissions);
        client.control(new SegmentBuilder()
                .neg(2, 1)
                .neg(3, 2)
                .neg(4, 3)
                .drop(2)
                .drop(3)
                .define(1, EMITTING));
        client.control(run(1, 2, call(1, 2, false, 3), null, EMITTING));
        Message failed = client.take();
        while (failed instanceof ToClient.Scanned) {
            failed = client.take();
        }
        Fault fault = assertInstanceOf(ToClient.Reply.class, failed)
                .reply()
                .getFetchFailed()
                .getFault();
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        assertTrue(
                fault.getMessage().contains("the kernels of one segment have run for over 100 ms"), fault::getMessage);
        assertTrue(fault.getMessage().endsWith("in iteration 0"), fault::getMessage);
    }

    /** The next message of a scan other than its progress. */
    private static ToClient.Fetched emission(WireClient client) throws InterruptedException {
        Message next = client.take();
        while (next instanceof ToClient.Scanned scanned && !scanned.isOver()) {
            next = client.take();
        }
        return assertInstanceOf(ToClient.Fetched.class, next);
    }

    private static boolean isLast(Message message) {
        return message instanceof ToClient.Scanned scanned && scanned.isOver();
    }

    @Test
    void theEndOfASessionEndsItsScan() throws InterruptedException {
        var client = withValue();
        client.control(counting(0));
        client.control(run(0, 1, call(1L << 32, 1, true, 2, 1), null, COUNTING));
        host.close();
        assertFalse(client.end().getMessage().isEmpty());
    }

    @Test
    void anEmptySlotEndsTheSession() throws InterruptedException {
        assertMalformed("slot 5 holds no program", run(5, 0, call(1, 1, false, 2, 1), null, COUNTING));
        assertMalformed("slot 2147483647 holds no program", new ToRuntime.DropProgram(Integer.MAX_VALUE));
        assertMalformed(
                "slot 3 holds no program", counting(3), new ToRuntime.DropProgram(3), new ToRuntime.DropProgram(3));
    }

    @Test
    void programBeyondTheLimitEndsTheSession() throws InterruptedException {
        assertMalformed("a scan has no number", counting(0), run(0, 0, call(2, 1, false, 2, 1), null, COUNTING));
        assertMalformed(
                "scan 1 does not follow 1",
                negating(0),
                run(0, 1, call(1, 1, false, 2), null, EMITTING),
                run(0, 1, call(1, 1, false, 3), call(1, 1, false, 2), EMITTING));
        assertMalformed(
                "value %9 is unknown to the session", counting(0), run(0, 0, call(1, 9, false, 2, 1), null, COUNTING));
        assertMalformed("value %1 exists already", counting(0), run(0, 0, call(1, 1, false, 1, 1), null, COUNTING));
        assertMalformed(
                "a number of a program is no immediate",
                new SegmentBuilder().neg(2, 1).define(0, COUNTING),
                run(0, 0, call(1, 1, false, 2, 1), null, COUNTING));
        assertMalformed(
                "a program runs at least once, got 0", counting(0), run(0, 0, call(0, 1, false, 2, 1), null, COUNTING));
        assertMalformed(
                "a program carries float32[1] to float32[2]",
                new SegmentBuilder()
                        .view(2, 1, new long[] {1}, new long[] {1}, 0)
                        .define(0, EMITTING),
                run(0, 1, call(1, 1, false, 2), null, EMITTING));
        assertMalformed("Scanned does not belong on this lane", new ToClient.Scanned(1, 1, true));
    }

    private void assertMalformed(String problem, Message... messages) throws InterruptedException {
        var client = withValue();
        for (Message message : messages) {
            client.control(message);
        }
        Fault end = client.acknowledgeUntilTheEnd();
        assertEquals("malformed input: " + problem, end.getMessage());
    }

    @Test
    void keptProgramsAreBounded() throws InterruptedException {
        var client = withValue();
        client.control(counting(ProgramSlots.COUNT));
        assertRefused(
                RuntimeLimit.PROGRAMS,
                "program 64 is over the 64 of a session: close programs, or let fewer shapes be traced",
                client);
        var large = withValue();
        large.control(negations(ProgramSlots.MAX_INSTRUCTIONS + 1).define(0, EMITTING));
        assertRefused(
                RuntimeLimit.PROGRAMS,
                "a program of 16385 instructions is over 16384 instructions: close programs, or let fewer shapes be"
                        + " traced",
                large);
        var many = withValue();
        Message full = negations(ProgramSlots.MAX_INSTRUCTIONS).define(0, EMITTING);
        for (int slot = 0; slot < 5; slot++) {
            many.control(new ToRuntime.DefineProgram(slot, ((ToRuntime.DefineProgram) full).code()));
        }
        assertRefused(
                RuntimeLimit.PROGRAMS,
                "the programs of a session are over 65536 instructions together: close programs, or let fewer shapes"
                        + " be traced",
                many);
        var wide = withValue();
        SegmentBuilder segments = new SegmentBuilder().neg(2, 1);
        for (int input = 0; input < ProgramSlots.MAX_INPUTS; input++) {
            segments.drop(100 + input);
        }
        wide.control(segments.define(0, EMITTING));
        assertRefused(
                RuntimeLimit.PROGRAMS,
                "a program of 16385 inputs is over 16384 inputs: close programs, or let fewer shapes be traced",
                wide);
        assertEquals(4, host.stats().refusals(RuntimeLimit.PROGRAMS));
    }

    private static SegmentBuilder negations(int count) {
        SegmentBuilder segments = new SegmentBuilder();
        for (int id = 2; id <= count + 1; id++) {
            segments.neg(id, id - 1);
        }
        for (int id = 2; id <= count; id++) {
            segments.drop(id);
        }
        return segments;
    }

    @Test
    void aScanIsBounded() throws InterruptedException {
        var client = withValue();
        client.control(counting(0));
        client.control(run(0, 1, call((1L << 32) + 1, 1, true, 2, 1), null, COUNTING));
        assertRefused(
                RuntimeLimit.SCAN_ITERATIONS,
                "a scan of 4294967297 runs is over 4294967296: scan in several calls",
                client);
        var greedy = withValue();
        greedy.control(negating(0));
        ProgramCall call = new ProgramCall(
                5, new long[] {1}, new boolean[] {true}, new long[] {2}, 0, 0, new long[0][], 1, 1 << 20);
        greedy.control(run(0, 1, call, null, EMITTING));
        assertRefused(
                RuntimeLimit.EMISSIONS,
                "1048576 runs of a scan are granted, over 65536: take the results of the scan before granting more",
                greedy);
        assertEquals(1, host.stats().refusals(RuntimeLimit.EMISSIONS));
        assertEquals(1, host.stats().refusals(RuntimeLimit.SCAN_ITERATIONS));
    }

    private static void assertRefused(RuntimeLimit limit, String message, WireClient client)
            throws InterruptedException {
        Fault end = client.acknowledgeUntilTheEnd();
        assertEquals(message, end.getMessage(), limit::label);
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(end));
    }
}
