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
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;

/** An issuer of OpenID Connect as small as can be: its document, its keys, and tokens on request. */
final class TestIssuer implements AutoCloseable {
    static final String CLIENT = "outpost";

    private final RSAKey key;
    private final HttpServer server;

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
            server.start();
            return issuer;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
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
                 "authorization_endpoint": "%1$s/authorize", "device_authorization_endpoint": "%1$s/device"}
                """.formatted(address());
    }

    /** A token of somebody in these groups. */
    String token(String subject, List<String> groups) {
        return token(address(), CLIENT, subject, groups, Instant.now().plusSeconds(300), key);
    }

    /** One of another issuer or for another client, which is over or was signed by somebody else. */
    String token(String issuer, String client, String subject, List<String> groups, Instant expires, RSAKey signer) {
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

    /** A key that this issuer does not have, under the name of one that it has. */
    static RSAKey anotherKey() {
        return key("first");
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
