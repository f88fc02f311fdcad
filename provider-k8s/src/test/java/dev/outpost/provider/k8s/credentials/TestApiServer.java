package dev.outpost.provider.k8s.credentials;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** An API server that returns its version to callers with the right token or any certificate, and records the callers. */
final class TestApiServer implements AutoCloseable {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> callers = new CopyOnWriteArrayList<>();
    private final TestKey key;
    private final HttpsServer server;
    private volatile String token = "";

    TestApiServer() throws Exception {
        key = TestKey.draw("localhost", "EC");
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getByName("localhost"), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls()) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters asked = getSSLContext().getDefaultSSLParameters();
                asked.setWantClientAuth(true);
                parameters.setSSLParameters(asked);
            }
        });
        server.setExecutor(threads);
        server.createContext("/version", this::answer);
        server.start();
    }

    private SSLContext tls() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", key.keys().getPrivate(), PASSWORD, new X509Certificate[] {key.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), new TrustManager[] {new Anybody()}, null);
        return context;
    }

    /** The one token that is accepted. */
    void accept(String accepted) {
        token = accepted;
    }

    String url() {
        return "https://localhost:" + server.getAddress().getPort();
    }

    TestKey key() {
        return key;
    }

    /** The callers by the name in their certificate, or by token; {@code nobody} for others, which are refused. */
    List<String> callers() {
        return callers;
    }

    private void answer(HttpExchange exchange) throws IOException {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        String caller = certificate(exchange);
        if (caller.isEmpty() && header != null && header.equals("Bearer " + token)) {
            caller = token;
        }
        callers.add(caller.isEmpty() ? "nobody" : caller);
        byte[] body = (caller.isEmpty()
                        ? "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"Unauthorized\","
                                + "\"reason\":\"Unauthorized\",\"code\":401}"
                        : "{\"major\":\"1\",\"minor\":\"34\",\"gitVersion\":\"v1.34.0\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(caller.isEmpty() ? 401 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static String certificate(HttpExchange exchange) {
        try {
            return ((HttpsExchange) exchange).getSSLSession().getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException ignored) {
            return "";
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    /** The handshake proves that the client holds the key; which one it is does not matter here. */
    private static final class Anybody implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {
            // Every client is accepted.
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {
            throw new UnsupportedOperationException("this is a server");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
