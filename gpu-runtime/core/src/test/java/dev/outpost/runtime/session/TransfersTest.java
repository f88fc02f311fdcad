package dev.outpost.runtime.session;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.Lane;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransfersTest extends RuntimeTest {

    static ToRuntime.UploadChunk chunk(long upload, byte[] whole, int from, int to) {
        return new ToRuntime.UploadChunk(
                upload, DType.FLOAT32, whole.length, from, Arrays.copyOfRange(whole, from, to));
    }

    @Test
    void anUploadArrivesInPiecesBeforeAndAfterItsSegment() throws InterruptedException {
        byte[] whole = SegmentBuilder.bytes(1, 2, 3, 4, 5);
        var client = WireClient.connected(host);
        client.bulk(chunk(1, whole, 0, 8));
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 5));
        client.bulk(chunk(1, whole, 8, 12));
        client.bulk(chunk(1, whole, 12, 20));
        assertArrayEquals(whole, client.fetch(1, 1).bytes());
        assertEquals(20, host.liveBytes());
    }

    @Test
    void uploadsMayMixOnTheLane() throws InterruptedException {
        byte[] first = SegmentBuilder.bytes(1, 2);
        byte[] second = SegmentBuilder.bytes(3, 4);
        var client = WireClient.connected(host);
        client.bulk(chunk(2, second, 0, 4));
        client.bulk(chunk(1, first, 0, 4));
        client.bulk(chunk(2, second, 4, 8));
        client.bulk(chunk(1, first, 4, 8));
        client.run(new SegmentBuilder()
                .upload(1, 1, DType.FLOAT32, 2)
                .upload(2, 2, DType.FLOAT32, 2)
                .plus(3, 1, 2));
        assertArrayEquals(SegmentBuilder.bytes(4, 6), client.fetch(1, 3).bytes());
    }

    @Test
    void anEmptyUploadNeedsNoChunk() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 0, 3));
        assertEquals(0, client.fetch(1, 1).bytes().length);
    }

    @Test
    void anUploadOverTheQuotaPoisonsItsValue() throws InterruptedException {
        byte[] whole = new byte[2 << 20];
        var client = WireClient.connected(host);
        for (int from = 0; from < whole.length; from += Message.CHUNK_BYTES) {
            client.bulk(chunk(1, whole, from, Math.min(from + Message.CHUNK_BYTES, whole.length)));
        }
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 1 << 19).full(2, 2, 1));
        var fault = client.fetchFailing(1, 1).getFault();
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(fault));
        assertEquals(
                "upload: out of memory, requested 2097152 bytes, free 1048576 of 1048576 bytes: close unneeded tensors, use scopes, or ask for more memory "
                        + "(upload() -> float32[524288])",
                fault.getMessage());
        assertArrayEquals(SegmentBuilder.bytes(2), client.fetch(2, 2).bytes());
    }

    @Test
    void aBrokenUploadEndsTheSession() throws InterruptedException {
        byte[] whole = SegmentBuilder.bytes(1, 2, 3);
        refused(chunk(1, whole, 4, 8));
        refused(chunk(1, whole, 0, 4), chunk(1, whole, 8, 12));
        refused(chunk(1, whole, 0, 4), chunk(1, whole, 0, 4));
        refused(chunk(1, whole, 0, 3));
        refused(chunk(1, whole, 0, 0));
        refused(chunk(1, whole, 0, 12), new ToRuntime.UploadChunk(1, DType.FLOAT32, 12, 12, new byte[4]));
        refused(new ToRuntime.UploadChunk(1, DType.FLOAT32, -4, 0, new byte[4]));
        refused(new ToRuntime.UploadChunk(1, DType.FLOAT32, 6, 0, new byte[4]));
        refused(chunk(1, whole, 0, 4), new ToRuntime.UploadChunk(1, DType.INT32, 12, 4, new byte[4]));
    }

    @Test
    void anUploadOfAnotherTypeThanStatedEndsTheSession() throws InterruptedException {
        var client = WireClient.connected(host);
        client.bulk(chunk(1, SegmentBuilder.bytes(1, 2, 3), 0, 12));
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 2));
        assertEquals(
                "malformed input: an upload of 12 bytes of float32 is used as float32[2]",
                client.end().getMessage());
    }

    @Test
    void anUploadIsUsedOnce() throws InterruptedException {
        var client = WireClient.connected(host);
        client.bulk(chunk(1, SegmentBuilder.bytes(1), 0, 4));
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, 1).upload(2, 1, DType.FLOAT32, 1));
        assertEquals("malformed input: upload 1 is used twice", client.end().getMessage());
    }

    @Test
    void aSessionThatEndsWhileAnUploadIsOnItsWayStops() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 1, 100).upload(2, 1, DType.FLOAT32, 2));
        client.bulk(chunk(1, SegmentBuilder.bytes(1, 2), 0, 4));
        client.raw(new byte[0]);
        client.end();
        awaitIdle();
    }

    @Test
    void aLargeValueComesInChunks() throws InterruptedException {
        byte[] whole = new byte[900_000];
        new Random(1).nextBytes(whole);
        for (int high = 3; high < whole.length; high += 4) {
            whole[high] &= 0x3f; // no NaN, whose bits a copy may change
        }
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().upload(1, 1, DType.FLOAT32, whole.length / 4));
        for (int from = 0; from < whole.length; from += Message.CHUNK_BYTES) {
            client.bulk(chunk(1, whole, from, Math.min(from + Message.CHUNK_BYTES, whole.length)));
        }
        assertEquals(0, client.fetch(5, 1).bytes().length);
        client.free(1);
        assertArrayEquals(whole, download(client, 5, whole.length));
        client.goodbye();
        assertEquals(0, host.liveBytes());
    }

    /** Nothing is acknowledged, so that the bulk window (16 MiB) is full long before all is sent. */
    @Test
    void aReaderThatDoesNotReadHoldsUpItsDownloadsOnly() throws InterruptedException {
        var client = WireClient.connected(host);
        client.mute = true;
        client.run(new SegmentBuilder().full(1, 1, 1 << 17).full(2, 5, 1));
        for (int fetch = 1; fetch <= 100; fetch++) {
            client.control(new ToRuntime.Fetch(fetch, 1));
        }
        client.control(new ToRuntime.Fetch(101, 2));
        Message message = client.take();
        while (!(message instanceof ToClient.Fetched fetched && fetched.fetch() == 101)) {
            message = client.take();
        }
        client.raw(new byte[0]);
        client.end();
        awaitIdle();
    }

    /** A value that is freed during its transfer exists until the client has received it. */
    @Test
    void aValueOnItsWayHoldsItsMemoryUntilItIsAcknowledged() throws InterruptedException {
        var client = WireClient.connected(host);
        client.mute = true;
        client.run(new SegmentBuilder().full(1, 7, 1 << 17));
        client.fetch(1, 1);
        client.free(1);
        download(client, 1, 4 << 17);
        // When this answer has arrived, the value was freed.
        client.run(new SegmentBuilder().full(2, 5, 1));
        client.fetch(2, 2);
        assertEquals((4 << 17) + 4, host.liveBytes());
        client.mute = false;
        client.acknowledge();
        awaitLiveBytes(4);
    }

    /** Waits, because the sender of a value releases it a moment after its last piece has arrived. */
    void awaitLiveBytes(long bytes) {
        Await.until(bytes + " bytes are held", () -> host.liveBytes() == bytes);
    }

    @Test
    void aConnectionThatComesBackGetsThePiecesAgain() throws InterruptedException {
        var client = WireClient.connected(host);
        client.run(new SegmentBuilder().full(1, 3, 100_000));
        client.mute = true;
        client.fetch(1, 1);
        byte[] first = download(client, 1, 400_000);
        client.cut();
        client.forget(Lane.BULK);
        // More than one comes again only as they are acknowledged.
        client.mute = false;
        client.connect(true);
        client.welcome();
        assertArrayEquals(first, download(client, 1, 400_000));
    }

    static byte[] download(WireClient client, long fetch, int length) throws InterruptedException {
        byte[] whole = new byte[length];
        int received = 0;
        while (received < length) {
            var chunk = client.take(ToClient.DownloadChunk.class);
            assertEquals(fetch, chunk.fetch());
            assertEquals(received, chunk.offset());
            byte[] bytes = chunk.bytes().toByteArray();
            assertTrue(bytes.length <= Message.CHUNK_BYTES);
            System.arraycopy(bytes, 0, whole, received, bytes.length);
            received += bytes.length;
        }
        return whole;
    }

    private void refused(ToRuntime.UploadChunk... chunks) throws InterruptedException {
        var client = WireClient.connected(host);
        for (var chunk : chunks) {
            client.bulk(chunk);
        }
        assertTrue(client.end().getMessage().startsWith("malformed input: "));
        awaitIdle();
    }
}
