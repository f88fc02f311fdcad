package dev.outpost.bench;

import dev.outpost.channel.Lane;
import dev.outpost.channel.rpc.RuntimeCalls;
import dev.outpost.channel.rpc.RuntimeGrpc;
import dev.outpost.channel.rpc.WireFrame;
import dev.outpost.protocol.message.Message;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;

/**
 * The reference for bulk data: a grpc-java stream over TLS that carries only bytes, without session, tensors or
 * acknowledgements. Reads all data from the client, and then sends the same amount back.
 */
public final class RawServer {
    static final int MESSAGE_BYTES = Message.CHUNK_BYTES;

    private RawServer() {}

    /** @param arguments a PKCS#12 file and its password */
    public static void main(String... arguments) throws Exception {
        MethodDescriptor<WireFrame, WireFrame> bulk = RuntimeCalls.of(Lane.BULK);
        ServiceDescriptor descriptor = ServiceDescriptor.newBuilder(RuntimeGrpc.SERVICE_NAME)
                .addMethod(bulk)
                .build();
        Server server = NettyServerBuilder.forPort(0)
                .sslContext(context(Path.of(arguments[0]), arguments[1].toCharArray()))
                .directExecutor()
                .maxInboundMessageSize(RuntimeCalls.MAX_MESSAGE_BYTES)
                .flowControlWindow(RuntimeCalls.FLOW_WINDOW_BYTES)
                .addService(ServerServiceDefinition.builder(descriptor)
                        .addMethod(bulk, (call, headers) -> startCall(call))
                        .build())
                .build()
                .start();
        System.out.println("endpoint 127.0.0.1:" + server.getPort());
        server.awaitTermination();
    }

    private static ServerCall.Listener<WireFrame> startCall(ServerCall<WireFrame, WireFrame> call) {
        call.sendHeaders(new Metadata());
        call.request(2);
        return new Echo(call);
    }

    private static SslContext context(Path store, char[] password) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, password);
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, password);
        return GrpcSslContexts.configure(SslContextBuilder.forServer(factory)).build();
    }

    private static final class Echo extends ServerCall.Listener<WireFrame> {
        private final ServerCall<WireFrame, WireFrame> call;
        private final WireFrame message = new WireFrame(new byte[MESSAGE_BYTES]);
        private final Landing landing = new Landing();
        private long received;
        private long sent;
        private boolean answering;

        Echo(ServerCall<WireFrame, WireFrame> call) {
            this.call = call;
        }

        @Override
        public void onMessage(WireFrame frame) {
            received += landing.take(frame);
            call.request(1);
        }

        @Override
        public void onHalfClose() {
            answering = true;
            // One byte first, to confirm that all data arrived.
            call.sendMessage(new WireFrame(new byte[1]));
            onReady();
        }

        @Override
        public void onReady() {
            while (answering && call.isReady()) {
                if (sent >= received) {
                    answering = false;
                    call.close(Status.OK, new Metadata());
                    return;
                }
                call.sendMessage(message);
                sent += MESSAGE_BYTES;
            }
        }
    }
}
