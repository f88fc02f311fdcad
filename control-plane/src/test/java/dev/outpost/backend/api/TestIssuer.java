package dev.outpost.backend.api;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A minimal issuer of OpenID Connect: its document, its keys, and tokens on request. */
final class TestIssuer implements AutoCloseable {
    static final String CLIENT = "outpost";

    private final RSAKey key;
    private final HttpServer server;
    private final Map<String, Asked> asked = new ConcurrentHashMap<>();
    private final AtomicInteger loggedOut = new AtomicInteger();
    private volatile String subject = "ada";
    private volatile List<String> groups = List.of("developers");

    private TestIssuer(RSAKey key, HttpServer server) {
        this.key = key;
        this.server = server;
    }

    static TestIssuer start() {
        try {
            RSAKey key = key("first");
            HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
            TestIssuer issuer = new TestIssuer(key, server);
            server.createContext("/.well-known/openid-configuration", exchange -> answer(exchange, issuer.document()));
            server.createContext("/keys", exchange -> answer(exchange, new JWKSet(key.toPublicJWK()).toString()));
            server.createContext("/authorize", issuer::authorize);
            server.createContext("/token", issuer::exchange);
            server.createContext("/logout", issuer::logOut);
            server.start();
            return issuer;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static RSAKey key(String id) {
        try {
            return new RSAKeyGenerator(2_048).keyID(id).generate();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static void answer(HttpExchange exchange, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private String document() {
        return """
                {"issuer": "%1$s", "jwks_uri": "%1$s/keys", "token_endpoint": "%1$s/token",
                 "authorization_endpoint": "%1$s/authorize", "end_session_endpoint": "%1$s/logout", "device_authorization_endpoint": "%1$s/device"}
                """.formatted(address());
    }

    /** The parameters of an authorization request. */
    private record Asked(String challenge, String redirect, String nonce) {}

    /** Sets the person for the next logins by a browser. */
    void nextIs(String subject, List<String> groups) {
        this.subject = subject;
        this.groups = groups;
    }

    /** Redirects back to the client with a code, as after the consent of a known person. */
    private void authorize(HttpExchange exchange) throws IOException {
        Map<String, String> said = fields(exchange.getRequestURI().getRawQuery());
        if (!"code".equals(said.get("response_type"))
                || !CLIENT.equals(said.get("client_id"))
                || !"S256".equals(said.get("code_challenge_method"))) {
            exchange.sendResponseHeaders(400, -1);
            exchange.close();
            return;
        }
        String code = UUID.randomUUID().toString();
        asked.put(code, new Asked(said.get("code_challenge"), said.get("redirect_uri"), said.get("nonce")));
        redirect(exchange, said.get("redirect_uri") + "?code=" + code + "&state=" + said.get("state"));
    }

    /** Accepts a code once, with the verifier and the same redirection (RFC 7636, section 4.6). */
    private void exchange(HttpExchange exchange) throws IOException {
        Map<String, String> said = fields(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Asked before = asked.remove(said.getOrDefault("code", ""));
        if (before == null
                || !before.redirect().equals(said.get("redirect_uri"))
                || !before.challenge().equals(challenge(said.getOrDefault("code_verifier", "")))) {
            byte[] refusal = "{\"error\": \"invalid_grant\"}".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(400, refusal.length);
            exchange.getResponseBody().write(refusal);
            exchange.close();
            return;
        }
        answer(exchange, "{\"id_token\": \"" + token(subject, groups, before.nonce()) + "\"}");
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

    private static Map<String, String> fields(String form) {
        return Stream.of(form.split("&"))
                .map(field -> field.split("=", 2))
                .filter(field -> field.length == 2)
                .collect(Collectors.toMap(
                        field -> field[0], field -> URLDecoder.decode(field[1], StandardCharsets.UTF_8)));
    }

    static String challenge(String verifier) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the number of logouts. */
    int loggedOut() {
        return loggedOut.get();
    }

    /** Returns a token of a person in these groups. */
    String token(String subject, List<String> groups) {
        return token(subject, groups, null);
    }

    private String token(String subject, List<String> groups, String nonce) {
        return token(address(), CLIENT, subject, groups, Instant.now().plusSeconds(300), key, nonce);
    }

    /** Returns an invalid token: of another issuer, for another client, expired, or signed with another key. */
    String token(String issuer, String client, String subject, List<String> groups, Instant expires, RSAKey signer) {
        return token(issuer, client, subject, groups, expires, signer, null);
    }

    private static String token(
            String issuer,
            String client,
            String subject,
            List<String> groups,
            Instant expires,
            RSAKey signer,
            String nonce) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(signer.getKeyID())
                            .build(),
                    new JWTClaimsSet.Builder()
                            .issuer(issuer)
                            .audience(client)
                            .subject(subject)
                            .claim("email", subject + "@example.org")
                            .claim("groups", groups)
                            .claim("nonce", nonce)
                            .issueTime(new Date())
                            .expirationTime(Date.from(expires))
                            .build());
            token.sign(new RSASSASigner(signer));
            return token.serialize();
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    RSAKey key() {
        return key;
    }

    /** A foreign key with the name of one of this issuer's keys. */
    static RSAKey anotherKey() {
        return key("first");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
