package dev.outpost.channel.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.Snapshot;
import dev.outpost.channel.rpc.WatchRequest;
import dev.outpost.support.tests.Await;
import dev.outpost.types.OutpostException;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A machine whose transport answers but whose watch sends nothing more. */
class MachineWatchTest {
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final Server server = start();

    private Server start() {
        try {
            return NettyServerBuilder.forPort(0)
                    .addService(new RuntimeGrpc.RuntimeImplBase() {
                        @Override
                        public void watch(WatchRequest request, StreamObserver<Snapshot> out) {
                            out.onNext(Snapshot.getDefaultInstance());
                            out.onNext(Snapshot.getDefaultInstance());
                            Thread.ofVirtual().start(() -> {
                                try {
                                    mayEnd.await();
                                    out.onCompleted();
                                } catch (InterruptedException interrupted) {
                                    Thread.currentThread().interrupt();
                                }
                            });
                        }
                    })
                    .build()
                    .start();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @AfterEach
    void stop() {
        mayEnd.countDown();
        server.shutdownNow();
    }

    private MachineWatch watch(Duration late) {
        return MachineWatch.open(
                "the machine",
                NettyChannelBuilder.forAddress("localhost", server.getPort())
                        .usePlaintext()
                        .build(),
                new Metadata(),
                Duration.ofMillis(100),
                false,
                late);
    }

    @Test
    void aMachineThatStopsTellingIsNotWaitedForWithoutEnd() {
        try (MachineWatch watch = watch(Duration.ofMillis(400))) {
            String message = assertThrows(OutpostException.class, () -> {
                        while (true) {
                            assertNotNull(watch.next());
                        }
                    })
                    .getMessage();
            assertEquals("the machine has sent nothing for 500 ms", message);
        }
    }

    @Test
    void aWatchEndsWithTheMachinesEnd() {
        try (MachineWatch watch = watch(Await.GUARD)) {
            assertNotNull(watch.next());
            assertNotNull(watch.next());
            mayEnd.countDown();
            assertNull(watch.next());
            assertNull(watch.next());
        }
    }

    @Test
    void closingEndsAWaitAtOnce() throws Exception {
        MachineWatch watch = watch(Await.GUARD);
        assertNotNull(watch.next());
        assertNotNull(watch.next());
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                watch.next();
                ended.complete(null);
            } catch (OutpostException failure) {
                ended.complete(failure);
            }
        });
        watch.close();
        assertTrue(ended.get() instanceof OutpostException);
    }
}
