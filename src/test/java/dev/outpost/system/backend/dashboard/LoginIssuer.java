package dev.outpost.system.backend.dashboard;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An OpenID Connect issuer to which a browser can be redirected: grace is logged in there, and is one of the admins. */
final class LoginIssuer implements AutoCloseable {
    private static final int MODULUS_BITS = 2_048;

    private final HttpServer server;
    private final KeyPair keys;
    private final Map<String, Map<String, String>> asked = new ConcurrentHashMap<>();
    private final AtomicInteger loggedOut = new AtomicInteger();

    private LoginIssuer(HttpServer server, KeyPair keys) {
        this.server = server;
        this.keys = keys;
    }

    static LoginIssuer start() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(MODULUS_BITS);
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            LoginIssuer issuer = new LoginIssuer(server, generator.generateKeyPair());
            server.createContext(
                    "/.well-known/openid-configuration", exchange -> json(exchange, 200, issuer.document()));
            server.createContext("/keys", exchange -> json(exchange, 200, issuer.published()));
            server.createContext("/authorize", issuer::authorize);
            server.createContext("/token", issuer::exchange);
            server.createContext("/logout", issuer::logOut);
            server.start();
            return issuer;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The number of logouts. */
    int loggedOut() {
        return loggedOut.get();
    }

    private String document() {
        return """
                {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "token_endpoint": "%1$s/token",
                 "authorization_endpoint": "%1$s/authorize", "end_session_endpoint": "%1$s/logout"}
                """.formatted(address());
    }

    private String published() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return """
                {"keys": [{"kty": "RSA", "use": "sig", "alg": "RS256", "kid": "k", "n": "%s", "e": "%s"}]}
                """.formatted(number(key.getModulus()), number(key.getPublicExponent()));
    }

    private static String number(BigInteger number) {
        byte[] bytes = number.toByteArray();
        return text(bytes[0] == 0 ? java.util.Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
    }

    private static String text(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> said = fields(exchange.getRequestURI().getRawQuery());
        String code = UUID.randomUUID().toString();
        asked.put(code, said);
        redirect(exchange, said.get("redirect_uri") + "?code=" + code + "&state=" + said.get("state"));
    }

    private void exchange(HttpExchange exchange) throws IOException {
        Map<String, String> said = fields(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> before = asked.remove(said.get("code"));
        boolean isProven = before != null
                && before.get("code_challenge").equals(challenge(said.get("code_verifier")))
                && before.get("redirect_uri").equals(said.get("redirect_uri"));
        json(
                exchange,
                isProven ? 200 : 400,
                isProven ? "{\"id_token\": \"" + token(before.get("nonce")) + "\"}" : "{\"error\": \"invalid_grant\"}");
    }

    private static String challenge(String verifier) {
        try {
            return text(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private String token(String nonce) {
        long now = Instant.now().getEpochSecond();
        String claims = """
                {"iss": "%s", "aud": "outpost", "sub": "grace", "email": "grace@example.org", "groups": ["admins"],
                 "nonce": "%s", "iat": %d, "exp": %d}
                """.formatted(address(), nonce, now, now + 300);
        String head = text("{\"alg\": \"RS256\", \"kid\": \"k\"}".getBytes(StandardCharsets.UTF_8)) + "."
                + text(claims.getBytes(StandardCharsets.UTF_8));
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(head.getBytes(StandardCharsets.US_ASCII));
            return head + "." + text(signature.sign());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private void logOut(HttpExchange exchange) throws IOException {
        loggedOut.incrementAndGet();
        redirect(exchange, fields(exchange.getRequestURI().getRawQuery()).get("post_logout_redirect_uri"));
    }

    private static void redirect(HttpExchange exchange, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        exchange.sendResponseHeaders(302, -1);
        exchange.close();
    }

    private static void json(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static Map<String, String> fields(String form) {
        return Stream.of(form.split("&"))
                .map(field -> field.split("=", 2))
                .collect(Collectors.toMap(
                        field -> field[0], field -> URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
