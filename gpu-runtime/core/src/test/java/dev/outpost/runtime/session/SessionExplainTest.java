package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.explain.ExplainedValue;
import dev.outpost.explain.Explanation;
import dev.outpost.protocol.message.Explained;
import dev.outpost.protocol.message.ExplanationMessage;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.protocol.tape.ProgramCall;
import dev.outpost.protocol.tape.ProgramSignature;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A session explains only its own values. */
class SessionExplainTest extends RuntimeTest {
    private static Explained ask(WireClient client, long request, long value) throws InterruptedException {
        client.control(ToRuntime.Request.explain(request, value));
        return client.explained();
    }

    @Test
    void aValueIsFoundInTheSegmentThatComputedIt() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        client.run(new SegmentBuilder().neg(2, 1).plus(3, 2, 1).drop(2));
        Explained answer = ask(client, 7, 3);
        assertEquals(7, answer.getRequest());
        Explanation explanation = ExplanationMessage.read(answer.getExplanation());
        assertEquals("%3", explanation.value());
        assertEquals(2, explanation.nodes().size());
        assertEquals(ExplainedValue.BEFORE, explanation.value("%1").computedBy());
        assertEquals(
                "%1",
                ExplanationMessage.read(ask(client, 8, 1).getExplanation()).value());
    }

    @Test
    void ofOtherSessionsAndUnknownValuesNothingIsTold() throws InterruptedException {
        var client = WireClient.connected(host);
        var other = WireClient.connected(host);
        other.run(new SegmentBuilder().floats(1, 1, 2));
        other.fetch(1, 1);
        assertFalse(ask(client, 1, 1).hasExplanation());
        assertFalse(ask(client, 2, Long.MAX_VALUE).hasExplanation());
        client.run(new SegmentBuilder().floats(1, 5));
        assertEquals(
                1,
                ExplanationMessage.read(ask(client, 3, 1).getExplanation())
                        .segment()
                        .runs());
    }

    /** A carried value that is doubled in each run. */
    private static final ProgramSignature DOUBLING = new ProgramSignature(
            List.of(),
            0,
            new int[0],
            ProgramSignature.NONE,
            List.of(new ProgramSignature.Carry(0, 0)),
            ProgramSignature.NONE,
            new int[0],
            new int[] {0});

    private static WireClient withProgram(RuntimeHost host) throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        client.control(new SegmentBuilder().neg(2, 1).plus(3, 2, 2).drop(2).define(5, DOUBLING));
        return client;
    }

    private static Explained askProgram(WireClient client, long request, int slot) throws InterruptedException {
        client.control(ToRuntime.Request.explainProgram(request, slot));
        return client.explained();
    }

    private static Message doubling(long runs, long scan, long input, long output, ProgramCall before) {
        ProgramCall call = new ProgramCall(
                runs, new long[] {input}, new boolean[] {true}, new long[] {output}, 0, 0, new long[0][], 1, 0);
        return new ToRuntime.RunProgram(5, scan, call.since(before, DOUBLING));
    }

    @Test
    void aProgramIsToldByAllThatItComputes() throws InterruptedException {
        var client = withProgram(host);
        assertFalse(askProgram(client, 1, 5).hasExplanation(), "it never ran");
        client.control(doubling(3, 1, 1, 10, ProgramCall.none(1, DOUBLING)));
        client.take(ToClient.Scanned.class);
        Explained answer = askProgram(client, 2, 5);
        assertEquals(2, answer.getRequest());
        Explanation explanation = ExplanationMessage.read(answer.getExplanation());
        assertEquals("", explanation.value());
        assertEquals(2, explanation.nodes().size());
        assertEquals(3, explanation.segment().runs(), "each run of a scan is one");
        assertEquals(ExplainedValue.BEFORE, explanation.value("%1").computedBy());
        assertEquals(ExplainedValue.NEVER, explanation.value("%2").lastUse());
        assertEquals(3, explanation.kernels().getLast().times().recentNanos().size());
    }

    @Test
    void aProgramOfAnotherSessionIsNotThere() throws InterruptedException {
        var other = withProgram(host);
        var client = WireClient.connected(host);
        client.control(ToRuntime.Request.explainProgram(1, 5));
        assertEquals("malformed input: slot 5 holds no program", client.end().getMessage());
        assertFalse(askProgram(other, 1, 5).hasExplanation());
    }

    @Test
    void aProgramInAnothersPlaceHasNotRun() throws InterruptedException {
        var client = withProgram(host);
        client.control(doubling(1, 0, 1, 10, ProgramCall.none(1, DOUBLING)));
        assertEquals(
                2,
                ExplanationMessage.read(askProgram(client, 1, 5).getExplanation())
                        .nodes()
                        .size());
        client.control(new SegmentBuilder().neg(2, 1).define(5, DOUBLING));
        assertFalse(askProgram(client, 2, 5).hasExplanation());
        client.control(new ToRuntime.DropProgram(5));
        client.control(ToRuntime.Request.explainProgram(3, 5));
        assertEquals("malformed input: slot 5 holds no program", client.end().getMessage());
    }

    @Test
    void aSegmentOfTooManyInstructionsIsNotRemembered() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2));
        SegmentBuilder many = new SegmentBuilder();
        for (int id = 2; id < 2 + 17_000; id++) {
            many.neg(id, id - 1);
            many.drop(id - 1);
        }
        client.run(many);
        assertFalse(ask(client, 1, 17_001).hasExplanation());
        client.run(new SegmentBuilder().neg(20_000, 17_001));
        assertEquals(
                1,
                ExplanationMessage.read(ask(client, 2, 20_000).getExplanation())
                        .nodes()
                        .size());
    }

    @Test
    void viewsTakeNoMemoryAndKeepWhatTheyAreOver() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().floats(1, 1, 2, 3, 4));
        SegmentBuilder segments = new SegmentBuilder()
                .neg(2, 1)
                .view(3, 2, new long[] {2}, new long[] {2}, 0)
                .neg(4, 3)
                .drop(2)
                .drop(3);
        client.run(segments);
        Explanation explanation = ExplanationMessage.read(ask(client, 1, 4).getExplanation());
        assertEquals(16 + 16 + 8, explanation.memory().peakBytes());
        assertEquals(2, explanation.memory().peakAt());
        assertEquals(16 + 8, explanation.memory().keptBytes());
    }
}
