package dev.outpost.backend.identity;

import com.fasterxml.jackson.core.JsonProcessingException;
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
import dev.outpost.channel.http.HttpBodies;
import dev.outpost.channel.http.Pace;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * An issuer of OpenID Connect: its endpoints, as its discovery document says (OpenID Connect Discovery 1.0), and the check of its ID
 * tokens. The document and the keys are read when they are first needed. Thread-safe.
 */
public final class Issuer {
    private static final Duration ANSWER = Duration.ofSeconds(10);
    private static final long MAX_OF_AN_ANSWER = 4 << 20;
    private static final int OK = 200;
    private static final int SERVER_ERROR = 500;
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

    /** The client id and the endpoints of an issuer. An endpoint that the issuer lacks is an empty text. */
    public record Endpoints(
            String issuer, String client, String device, String token, String authorization, String endSession) {}

    /**
     * A code of the authorization code flow (RFC 6749, section 4.1), with the proof that this client asked for it (RFC 7636).
     *
     * @param verifier the text whose SHA-256 was in the authorization request
     * @param redirect the redirect URI of the authorization request
     * @param nonce the nonce of the authorization request; the ID token must have it
     */
    public record Code(String code, String verifier, String redirect, String nonce) {
        @Override
        public String toString() {
            return "Code[hidden]";
        }
    }

    /** Thrown if this issuer did not make the token for this client, or if the token has expired. */
    public static final class UntrustedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UntrustedException(String why) {
            super(why);
        }
    }

    /** Thrown if the issuer does not answer now. */
    public static final class AwayException extends RuntimeException {
        private static final long serialVersionUID = 1;

        AwayException(String why) {
            super(why);
        }
    }

    /**
     * @param issuer the issuer's own URL, such as {@code https://login.example.org/realms/main}
     * @param client the id of the command line and the dashboard at the issuer, as a public client
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

    /** Returns the person of an ID token that this issuer made for this client. */
    public Person person(String idToken) {
        return person(claims(idToken));
    }

    /** Exchanges a code for an ID token at the issuer and returns the token's person. */
    public Person person(Code code) {
        JWTClaimsSet claims = claims(exchange(code));
        if (!code.nonce().equals(claims.getClaim("nonce"))) {
            throw new UntrustedException("the token of " + issuer + " is for another login; log in again");
        }
        return person(claims);
    }

    private Person person(JWTClaimsSet claims) {
        try {
            List<String> groups = claims.getStringListClaim(groupsClaim);
            String name = claims.getStringClaim("email");
            return new Person(
                    "oidc:" + claims.getSubject(),
                    name == null ? claims.getSubject() : name,
                    groups == null ? List.of() : groups);
        } catch (ParseException ignored) {
            throw new UntrustedException("the claims of a token of " + issuer + " are malformed");
        }
    }

    private JWTClaimsSet claims(String idToken) {
        try {
            return known().processor().process(idToken, null);
        } catch (BadJOSEException | ParseException failure) {
            throw new UntrustedException(
                    "the token is none of " + issuer + " for " + client + ": " + failure.getMessage());
        } catch (JOSEException failure) {
            throw new AwayException("the keys of " + issuer + " cannot be read: " + failure.getMessage());
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
                document.path("authorization_endpoint").asText(""),
                document.path("end_session_endpoint").asText(""));
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
        } catch (IOException | IllegalArgumentException ignored) {
            throw new AwayException("oidc.issuer: " + issuer + " names no keys");
        }
    }

    /** Exchanges a code for an ID token. A refused code is treated like a token of another issuer. */
    private String exchange(Code code) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("client_id", client);
        form.put("code", code.code());
        form.put("code_verifier", code.verifier());
        form.put("redirect_uri", code.redirect());
        String body = form.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        URI address = URI.create(endpoints().token());
        HttpResponse<String> answer = send(HttpRequest.newBuilder(address)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body)));
        if (answer.statusCode() >= SERVER_ERROR) {
            throw new AwayException("oidc.issuer: " + address + " answered with status " + answer.statusCode());
        }
        String token = json(address, answer.body()).path("id_token").asText("");
        if (answer.statusCode() != OK || token.isEmpty()) {
            throw new UntrustedException(issuer + " does not take the code; log in again");
        }
        return token;
    }

    private JsonNode discover() {
        URI address = URI.create(issuer.replaceAll("/+$", "") + "/.well-known/openid-configuration");
        HttpResponse<String> answer = send(HttpRequest.newBuilder(address));
        if (answer.statusCode() != OK) {
            throw new AwayException("oidc.issuer: " + address + " answered with status " + answer.statusCode());
        }
        return json(address, answer.body());
    }

    private static JsonNode json(URI address, String body) {
        try {
            return MAPPER.readTree(body);
        } catch (JsonProcessingException ignored) {
            throw new AwayException("oidc.issuer: " + address + " does not answer in JSON");
        }
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) {
        HttpRequest timed = request.timeout(ANSWER).build();
        URI address = timed.uri();
        try (HttpClient http = HttpClient.newBuilder().connectTimeout(ANSWER).build()) {
            return HttpBodies.send(
                    http, timed, HttpResponse.BodyHandlers.ofString(), Pace.DATA.within(ANSWER), MAX_OF_AN_ANSWER);
        } catch (IOException failure) {
            throw new AwayException("oidc.issuer: " + address + " cannot be read: " + failure.getMessage());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new AwayException("oidc.issuer: the backend is shutting down");
        }
    }
}
