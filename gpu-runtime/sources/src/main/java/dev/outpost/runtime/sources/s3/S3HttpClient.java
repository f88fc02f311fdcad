package dev.outpost.runtime.sources.s3;

import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.nio.netty.SdkEventLoopGroup;
import software.amazon.awssdk.utils.AttributeMap;

/** The SDK's HTTP client on its own threads, which end immediately on close; the SDK would keep them for two more seconds. */
final class S3HttpClient implements SdkAsyncHttpClient {
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(30);
    private static final int CONNECTIONS = 32;
    private static final long MAX_SECONDS_TO_CLOSE = 15;

    private final NioEventLoopGroup threads = new NioEventLoopGroup(0, new DefaultThreadFactory("outpost-s3", true));
    private final SdkAsyncHttpClient client;

    /** @param service the SDK's settings for the service */
    S3HttpClient(AttributeMap service) {
        client = NettyNioAsyncHttpClient.builder()
                .eventLoopGroup(SdkEventLoopGroup.create(threads))
                .maxConcurrency(CONNECTIONS)
                .readTimeout(LONGEST_SILENCE)
                .buildWithDefaults(service);
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        return client.execute(request);
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        client.close();
        threads.shutdownGracefully(0, MAX_SECONDS_TO_CLOSE, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
