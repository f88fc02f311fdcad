package dev.outpost.backend.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.backend.store.IdempotencyRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.channel.grant.Secrets;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.util.Optional;
import java.util.function.Function;

/**
 * Runs a POST with an {@code Idempotency-Key} only once: a repetition gets the first answer. Each project has its own keys, so a caller
 * never gets an answer for another project.
 */
@ApplicationScoped
public class Idempotency {

    private final ObjectMapper json;
    private final Caller caller;

    Idempotency(ObjectMapper json, Caller caller) {
        this.json = json;
        this.caller = caller;
    }

    /**
     * Runs a request, unless it was run before, and returns its answer.
     *
     * @param key the header; without it the request runs each time
     * @param request the request's content; a different request with the same key is refused
     * @param kept returns the part of the answer that may be stored, which has no secrets
     */
    public <T> Response once(Sql sql, String key, Object request, Function<Sql, T> work, Function<T, ?> kept) {
        if (key == null) {
            return created(write(work.apply(sql)));
        }
        requireKey(key);
        byte[] hash = Secrets.sha256(write(request));
        Optional<IdempotencyRows.Answer> earlier = earlier(sql, key);
        if (earlier.isPresent()) {
            return repeated(earlier.get(), hash);
        }
        T answer = work.apply(sql);
        IdempotencyRows.keep(
                sql,
                caller.organisation(),
                ofProject(key),
                new IdempotencyRows.Answer(hash, 201, write(kept.apply(answer))));
        return created(write(answer));
    }

    /**
     * Records a request that answers with the current state. Returns true if the request was already recorded.
     *
     * @param key the header; without it nothing is recorded and the result is false
     */
    public boolean isRecordedBefore(Sql sql, String key, Object request) {
        if (key == null) {
            return false;
        }
        requireKey(key);
        byte[] hash = Secrets.sha256(write(request));
        Optional<IdempotencyRows.Answer> earlier = earlier(sql, key);
        earlier.ifPresent(answer -> requireSame(answer, hash));
        if (earlier.isEmpty()) {
            IdempotencyRows.keep(sql, caller.organisation(), ofProject(key), new IdempotencyRows.Answer(hash, 200, ""));
        }
        return earlier.isPresent();
    }

    /**
     * Returns the earlier answer. Older versions stored it under the key without a project. Callers that see the whole organisation find
     * such an answer too, so that a request repeated during an upgrade runs once.
     */
    private Optional<IdempotencyRows.Answer> earlier(Sql sql, String key) {
        return IdempotencyRows.find(sql, caller.organisation(), ofProject(key))
                .or(() -> caller.project().isPresent()
                        ? Optional.empty()
                        : IdempotencyRows.find(sql, caller.organisation(), key));
    }

    /**
     * Returns the key prefixed by its project and a slash, which no name of a project contains. The project is empty for a key of the whole
     * organisation.
     */
    private String ofProject(String key) {
        return caller.project().orElse("") + "/" + key;
    }

    private static void requireKey(String key) {
        if (key.isBlank() || key.length() > Bounds.IDEMPOTENCY_KEY) {
            throw Problem.of(
                    Problem.Code.BAD_REQUEST,
                    "Idempotency-Key: expected 1 to " + Bounds.IDEMPOTENCY_KEY + " characters, got " + key.length());
        }
    }

    private static void requireSame(IdempotencyRows.Answer earlier, byte[] hash) {
        if (!earlier.isOf(hash)) {
            throw Problem.of(
                    Problem.Code.CONFLICT, "Idempotency-Key: it was used for another request; draw a new one for each");
        }
    }

    private static Response repeated(IdempotencyRows.Answer earlier, byte[] hash) {
        requireSame(earlier, hash);
        return created(earlier.body());
    }

    private static Response created(String body) {
        return Response.status(201)
                .type(MediaType.APPLICATION_JSON)
                .entity(body)
                .build();
    }

    private String write(Object value) {
        try {
            return json.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
