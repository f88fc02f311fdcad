package dev.outpost.backend.identity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * An issuer of OpenID Connect: its endpoints, as its discovery document says (OpenID Connect Discovery 1.0), and the check of its ID
 * tokens. Both are read when they are first asked for. Thread-safe.
 */
public final class Issuer {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final Set<JWSAlgorithm> ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384);
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final String issuer;
    private final String client;
    private final String groupsClaim;
    private Known known;

    private record Known(Endpoints endpoints, DefaultJWTProcessor<SecurityContext> processor) {}

    /** Where clients of an issuer ask; an empty text where it has none such. */
    public record Endpoints(String issuer, String client, String device, String token, String authorization) {}

    /** A token that is none of this issuer for this client, or is over. */
    public static final class UntrustedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UntrustedException(String why) {
            super(why);
        }
    }

    /** The issuer cannot be asked now. */
    public static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1;

        AwayException(String why) {
            super(why);
        }
    }

    /**
     * @param issuer as it calls itself, such as {@code https://login.example.org/realms/main}
     * @param client the id of the command line and of the dashboard there, a public client
     * @param groupsClaim the claim that lists groups
     */
    public Issuer(String issuer, String client, String groupsClaim) {
        this.issuer = issuer;
        this.client = client;
        this.groupsClaim = groupsClaim;
    }

    public Endpoints endpoints() {
        return known().endpoints();
    }

    /** Somebody, by an ID token of this issuer for this client. */
    public Person person(String idToken) {
        try {
            JWTClaimsSet claims = known().processor().process(idToken, null);
            List<String> groups = claims.getStringListClaim(groupsClaim);
            String name = claims.getStringClaim("email");
            return new Person(
                    "oidc:" + claims.getSubject(),
                    name == null ? claims.getSubject() : name,
                    groups == null ? List.of() : groups);
        } catch (BadJOSEException | ParseException untrusted) {
            throw new UntrustedException(
                    "the token is none of " + issuer + " for " + client + ": " + untrusted.getMessage());
        } catch (JOSEException failed) {
            throw new AwayException("the keys of " + issuer + " cannot be read: " + failed.getMessage());
        }
    }

    private synchronized Known known() {
        if (known == null) {
            JsonNode document = discover();
            if (!document.path("issuer").asText().equals(issuer)) {
                throw new AwayException("oidc.issuer: " + issuer + " calls itself "
                        + document.path("issuer").asText() + "; set that");
            }
            known = new Known(
                    endpoints(document), processor(document.path("jwks_uri").asText()));
        }
        return known;
    }

    private Endpoints endpoints(JsonNode document) {
        return new Endpoints(
                issuer,
                client,
                document.path("device_authorization_endpoint").asText(""),
                document.path("token_endpoint").asText(""),
                document.path("authorization_endpoint").asText(""));
    }

    private DefaultJWTProcessor<SecurityContext> processor(String keys) {
        try {
            DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
            processor.setJWSKeySelector(new JWSVerificationKeySelector<>(
                    ALGORITHMS,
                    JWKSourceBuilder.create(URI.create(keys).toURL())
                            .retrying(true)
                            .build()));
            processor.setJWTClaimsSetVerifier(new DefaultJWTClaimsVerifier<>(
                    client, new JWTClaimsSet.Builder().issuer(issuer).build(), Set.of("sub", "exp", "iat")));
            return processor;
        } catch (IOException | IllegalArgumentException malformed) {
            throw new AwayException("oidc.issuer: " + issuer + " names no keys");
        }
    }

    private JsonNode discover() {
        URI address = URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER).build()) {
            HttpResponse<String> answer = http.send(
                    HttpRequest.newBuilder(address).timeout(ANSWER).build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new AwayException("oidc.issuer: " + address + " answered with status " + answer.statusCode());
            }
            return MAPPER.readTree(answer.body());
        } catch (IOException broken) {
            throw new AwayException("oidc.issuer: " + address + " cannot be read: " + broken.getMessage());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new AwayException("oidc.issuer: the backend is shutting down");
        }
    }
}
