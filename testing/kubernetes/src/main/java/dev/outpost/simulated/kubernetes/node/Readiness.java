package dev.outpost.simulated.kubernetes.node;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Probes if a container is ready. Like kubelets, it does not verify the certificate. */
final class Readiness {
    private static final Duration PERIOD = Duration.ofMillis(20);
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int OK = 200;

    private final URI uri;
    private final BooleanSupplier over;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    private Readiness(URI uri, BooleanSupplier over) {
        this.uri = uri;
        this.over = over;
    }

    /** Probes repeatedly until the container is ready or has ended. */
    static CompletableFuture<Void> of(URI uri, BooleanSupplier over) {
        Readiness readiness = new Readiness(uri, over);
        Thread.ofVirtual().name("test-readiness").start(readiness::ask);
        return readiness.ready;
    }

    private void ask() {
        try (HttpClient client = HttpClient.newBuilder()
                .sslContext(believingAll())
                .connectTimeout(TIMEOUT)
                .build()) {
            while (!over.getAsBoolean()) {
                if (isReady(client)) {
                    ready.complete(null);
                    return;
                }
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isReady(HttpClient client) throws InterruptedException {
        return uri.getScheme().equals("tcp") ? listens() : answers(client);
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), (int) TIMEOUT.toMillis());
            return true;
        } catch (IOException ignored) {
            return false;
        }
    }

    private boolean answers(HttpClient client) throws InterruptedException {
        try {
            HttpRequest request = HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
            return client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == OK;
        } catch (IOException ignored) {
            return false;
        }
    }

    private static SSLContext believingAll() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Everybody()}, null);
            return context;
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** An extended trust manager, because the JDK compares no names for those. */
    private static final class Everybody extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, java.net.Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
