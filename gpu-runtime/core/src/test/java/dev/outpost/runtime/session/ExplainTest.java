package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.protocol.explain.ExplainedValue;
import dev.outpost.protocol.explain.Explanation;
import dev.outpost.protocol.message.Message;
import org.junit.jupiter.api.Test;

/** What a session tells of its own values, and of nobody else's. */
class ExplainTest extends RuntimeTest {
    private static Message.Explained ask(WireClient client, long request, long value) throws InterruptedException {
        client.control(new Message.Explain(request, value));
        return client.take(Message.Explained.class);
    }

    @Test
    void aValueIsFoundInTheSegmentThatComputedIt() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new Recorder().floats(1, 1, 2));
        client.run(new Recorder().neg(2, 1).plus(3, 2, 1).drop(2));
        Message.Explained answer = ask(client, 7, 3);
        assertEquals(7, answer.request());
        Explanation explanation = Explanation.read(answer.explanation());
        assertEquals("%3", explanation.value());
        assertEquals(2, explanation.nodes().size());
        assertEquals(ExplainedValue.BEFORE, explanation.value("%1").computedBy());
        assertEquals("%1", Explanation.read(ask(client, 8, 1).explanation()).value());
    }

    @Test
    void ofOtherSessionsAndUnknownValuesNothingIsTold() throws InterruptedException {
        var client = WireClient.connected(host);
        var other = WireClient.connected(host);
        other.run(new Recorder().floats(1, 1, 2));
        other.fetch(1, 1);
        assertArrayEquals(new byte[0], ask(client, 1, 1).explanation());
        assertArrayEquals(new byte[0], ask(client, 2, Long.MAX_VALUE).explanation());
        client.run(new Recorder().floats(1, 5));
        assertEquals(
                1, Explanation.read(ask(client, 3, 1).explanation()).segment().runs());
    }

    @Test
    void aSegmentOfTooManyInstructionsIsNotRemembered() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new Recorder().floats(1, 1, 2));
        Recorder many = new Recorder();
        for (int id = 2; id < 2 + 17_000; id++) {
            many.neg(id, id - 1);
            many.drop(id - 1);
        }
        client.run(many);
        assertArrayEquals(new byte[0], ask(client, 1, 17_001).explanation());
        client.run(new Recorder().neg(20_000, 17_001));
        assertEquals(
                1,
                Explanation.read(ask(client, 2, 20_000).explanation()).nodes().size());
    }

    @Test
    void viewsTakeNoMemoryAndKeepWhatTheyAreOver() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new Recorder().floats(1, 1, 2, 3, 4));
        Recorder recorder = new Recorder()
                .neg(2, 1)
                .view(3, 2, new long[] {2}, new long[] {2}, 0)
                .neg(4, 3)
                .drop(2)
                .drop(3);
        client.run(recorder);
        Explanation explanation = Explanation.read(ask(client, 1, 4).explanation());
        assertEquals(16 + 16 + 8, explanation.memory().peakBytes());
        assertEquals(2, explanation.memory().peakAt());
        assertEquals(16 + 8, explanation.memory().keptBytes());
    }
}
