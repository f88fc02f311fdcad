package dev.outpost.bench;

import dev.outpost.bench.files.TemporaryFolder;
import dev.outpost.bench.process.ProgramProcess;
import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.WireFrame;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A client of {@link RawServer}, which it starts in a separate process with a certificate from keytool. */
final class RawStream implements AutoCloseable {
    /** Gigabytes per second in each direction. */
    record Speed(double up, double down) {}

    private static final String PASSWORD = "measured";
    private static final long BYTES = 256L << 20;

    private final TemporaryFolder folder = new TemporaryFolder("stream");
    private final Process server;
    private final ManagedChannel channel;

    RawStream() throws IOException, InterruptedException {
        Path keys = folder.path().resolve("keys.p12");
        Path certificate = folder.path().resolve("certificate.pem");
        makeCertificate(keys, certificate);
        String java = ProcessHandle.current().info().command().orElseThrow();
        server = new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        RawServer.class.getName(),
                        keys.toString(),
                        PASSWORD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String target = ProgramProcess.announced(server, "endpoint", "the server of plain bytes did not start")
                .get("endpoint");
        channel = NettyChannelBuilder.forTarget(target)
                .sslContext(GrpcSslContexts.forClient()
                        .trustManager(certificate.toFile())
                        .build())
                .overrideAuthority("localhost")
                .directExecutor()
                .maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                .flowControlWindow(RuntimeCalls.FLOW_WINDOW_BYTES)
                .build();
    }

    Speed measure() {
        Exchange exchange = new Exchange(channel.newCall(RuntimeCalls.of(Lane.BULK), CallOptions.DEFAULT));
        return exchange.run();
    }

    @Override
    public void close() {
        channel.shutdownNow();
        server.destroyForcibly().onExit().join();
        folder.close();
    }

    private static void makeCertificate(Path keys, Path certificate) throws IOException, InterruptedException {
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        List<String> store = List.of("-keystore", keys.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12");
        run(
                keytool,
                List.of(
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "SAN=dns:localhost",
                        "-alias",
                        "raw"),
                store);
        run(keytool, List.of("-exportcert", "-rfc", "-alias", "raw", "-file", certificate.toString()), store);
    }

    private static void run(String program, List<String> arguments, List<String> more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(arguments);
        command.addAll(more);
        if (new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                != 0) {
            throw new IOException(String.join(" ", command) + " failed");
        }
    }

    private static final class Exchange extends ClientCall.Listener<WireFrame> {
        private final ClientCall<WireFrame, WireFrame> call;
        private final Landing landing = new Landing();
        private final CompletableFuture<Speed> answer = new CompletableFuture<>();
        private final WireFrame message = new WireFrame(new byte[RawServer.MESSAGE_BYTES]);
        private final long start = System.nanoTime();
        private long sent;
        private long arrivedNanos;

        Exchange(ClientCall<WireFrame, WireFrame> call) {
            this.call = call;
        }

        Speed run() {
            call.start(this, new Metadata());
            call.request(2);
            return answer.join();
        }

        @Override
        public void onReady() {
            while (sent < BYTES && call.isReady()) {
                call.sendMessage(message);
                sent += RawServer.MESSAGE_BYTES;
                if (sent >= BYTES) {
                    call.halfClose();
                }
            }
        }

        @Override
        public void onMessage(WireFrame frame) {
            if (arrivedNanos == 0) {
                arrivedNanos = System.nanoTime();
            }
            landing.take(frame);
            call.request(1);
        }

        @Override
        public void onClose(Status status, Metadata trailers) {
            if (!status.isOk()) {
                answer.completeExceptionally(status.asRuntimeException());
                return;
            }
            double up = BYTES / (double) (arrivedNanos - start);
            answer.complete(new Speed(up, BYTES / (double) (System.nanoTime() - arrivedNanos)));
        }
    }
}
