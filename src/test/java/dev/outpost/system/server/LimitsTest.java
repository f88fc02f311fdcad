package dev.outpost.system.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.channel.frame.Frame;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.protocol.message.FetchFailed;
import dev.outpost.protocol.message.ToClient;
import dev.outpost.protocol.message.ToRuntime;
import dev.outpost.support.tests.Await;
import dev.outpost.support.tests.PlainNames;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each limit of a runtime has a clear refusal, and a counter among the metrics. */
class LimitsTest {
    private static RuntimeProcess runtime;
    private static ManagementClient management;

    private final List<RawConnection> open = new ArrayList<>();
    private String limit;
    private double refusedBefore;

    @BeforeAll
    static void start() {
        runtime = RuntimeProcess.start(
                "--lease",
                "15s",
                "--quota",
                Integer.toString(64 << 20),
                "-Doutpost.runtime.limits.sessions=3",
                "-Doutpost.runtime.limits.connections=5",
                "-Doutpost.runtime.limits.plans=4",
                "-Doutpost.runtime.limits.uploads=2",
                "-Doutpost.runtime.limits.queued-messages=50",
                "-Doutpost.runtime.limits.queued-bytes=100000");
        management = ManagementClient.of(runtime);
    }

    @AfterAll
    static void stop() {
        runtime.close();
    }

    @AfterEach
    void everythingIsGivenBack() {
        open.forEach(RawConnection::leave);
        Await.until("no session is left", () -> management.openSessions() == 0);
        open.forEach(RawConnection::close);
        Await.until("no connection is left", () -> management.metric("outpost_connections") == 0);
        Await.until("no value is left", () -> management.liveBytes() == 0);
        assertTrue(limit == null || management.refused(limit) > refusedBefore, () -> "nothing was refused by " + limit);
    }

    @Test
    void sessions() throws InterruptedException {
        expect("sessions");
        for (int index = 0; index < 3; index++) {
            open.add(RawConnection.greeted(runtime));
        }
        management.anonymous().get("/q/health/ready").then().statusCode(503);
        RemoteMachine machine = runtime.connect();
        OutpostException refused = assertThrows(OutpostException.class, machine::awaitReady);
        machine.close();
        assertEquals(FaultKind.RESOURCES, refused.kind());
        assertEquals(
                "endpoint-any: the machine ended the session: the machine serves 3 sessions already: "
                        + "close a session, or ask for another machine",
                PlainNames.in(refused.getMessage()));
    }

    /** Connections without a hello are replaced by others after a moment, so a slow host needs more than one attempt. */
    @Test
    void connections() {
        expect("connections");
        Status refused = Await.present("one of six connections at once is refused", () -> {
            List<RawConnection> six =
                    Stream.generate(() -> RawConnection.open(runtime)).limit(6).toList();
            open.addAll(six);
            return six.stream()
                    .flatMap(connection -> connection.control.awaitRefusal().stream())
                    .findFirst();
        });
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, refused.getCode());
        assertEquals(
                "the machine has 5 connections open already: close a connection, or ask for another machine",
                refused.getDescription());
    }

    @Test
    void bytesOfAFrame() throws InterruptedException {
        expect("frame_bytes");
        RawConnection client = greeted();
        client.bulk.send(new byte[Frame.MAX_BYTES + 1]);
        assertEnds(client, "a frame of 8388609 bytes is over 8388608: send smaller frames");
    }

    /** There is no message for this limit: the connection is closed. */
    @Test
    void bytesOfAMessage() throws InterruptedException {
        RawConnection client = greeted();
        client.bulk.send(new byte[RuntimeCalls.MAX_MESSAGE_BYTES]);
        assertEquals(Status.Code.CANCELLED, client.bulk.awaitEnd().getCode());
        assertEquals(Status.Code.OK, client.control.awaitEnd().getCode());
    }

    @Test
    void uploads() throws InterruptedException {
        expect("uploads");
        RawConnection client = greeted();
        for (long upload = 1; upload <= 3; upload++) {
            client.bulk(new ToRuntime.UploadChunk(upload, DType.FLOAT32, 8, 0, new byte[4]));
        }
        assertEnds(
                client, "over 2 uploads are in flight: run the instructions that use the uploads before sending more");
    }

    @Test
    void messagesInTheQueue() throws InterruptedException {
        expect("queued_messages");
        RawConnection client = greeted();
        client.use(1, 1, 1);
        for (int message = 0; message < 52; message++) {
            client.control(new ToRuntime.Free(new long[0]));
        }
        assertEnds(client, "over 50 messages are queued: wait for reports of progress before sending more");
    }

    @Test
    void bytesInTheQueue() throws InterruptedException {
        expect("queued_bytes");
        RawConnection client = greeted();
        client.use(1, 1, 1);
        client.control(new ToRuntime.RunSegment(new byte[160_000]));
        assertEnds(
                client, "over 100000 bytes of messages are queued: wait for reports of progress before sending more");
    }

    @Test
    void memory() throws InterruptedException {
        expect("quota");
        RawConnection client = greeted();
        client.fill(1, 32 << 20);
        client.control(new ToRuntime.Fetch(1, 1));
        FetchFailed failed =
                assertInstanceOf(ToClient.Reply.class, client.next()).reply().getFetchFailed();
        assertEquals(FaultKind.RESOURCES, FaultMessages.kind(failed.getFault()));
        assertTrue(
                failed.getFault()
                        .getMessage()
                        .startsWith("full: out of memory, requested 134217728 bytes, free 67108864 of 67108864 bytes: "
                                + "close unneeded tensors, use scopes, or ask for more memory"),
                failed.getFault()::getMessage);
    }

    @Test
    void timeOfASegment() {
        try (RuntimeProcess hurried = RuntimeProcess.start("-Doutpost.runtime.limits.segment-time=0.05s");
                RemoteMachine machine = hurried.connect()) {
            Tensor product = SampleComputations.products(machine, 50);
            OutpostException refused =
                    assertThrows(OutpostException.class, () -> product.sum().item());
            assertEquals(FaultKind.RESOURCES, refused.kind());
            assertTrue(
                    refused.getMessage()
                            .contains("the kernels of one segment have run for over 50 ms: "
                                    + "record smaller segments, or ask for a higher limit"),
                    refused::getMessage);
            assertTrue(ManagementClient.of(hurried).refused("segment_time") > 0, "it was not counted");
        }
    }

    /** At this limit sessions are not refused, but slowed down. */
    @Test
    void plans() throws InterruptedException {
        expect("plans");
        RawConnection client = greeted();
        for (int size = 1; size <= 6; size++) {
            client.fill(size, size);
        }
        client.control(new ToRuntime.Fetch(1, 6));
        client.next();
        assertEquals(4, management.metric("outpost_plans"));
    }

    private void expect(String name) {
        limit = name;
        refusedBefore = management.refused(name);
    }

    private RawConnection greeted() throws InterruptedException {
        RawConnection client = RawConnection.greeted(runtime);
        open.add(client);
        return client;
    }

    private static void assertEnds(RawConnection client, String sentence) throws InterruptedException {
        assertEquals(sentence, client.end().getFault().getMessage());
        assertEquals(Status.Code.OK, client.control.awaitEnd().getCode());
    }

    @BeforeEach
    void nothingIsOpen() {
        assertEquals(0, management.openSessions());
    }
}
