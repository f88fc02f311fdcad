package dev.outpost.backend.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.channel.guard.ConnectionGuard;
import dev.outpost.channel.guard.ConnectionLimits;
import dev.outpost.channel.guard.GuardedConnection;
import dev.outpost.rest.ProblemBody;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.VertxException;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.Optional;

/** Reports the requests of each connection to the connection guard. Determines the addresses of clients behind trusted proxies. */
@Singleton
public final class RequestGuard {
    /** The priority of this filter, which runs before all others. */
    private static final int FIRST = 10_000;

    private static final String CLIENT = "outpost.client";
    private static final long MAX_DISCARDED_BYTES = 16 << 20;

    private final ConnectionLimits limits;
    private final ObjectMapper mapper;

    RequestGuard(ConnectionLimits limits, ObjectMapper mapper) {
        this.limits = limits;
        this.mapper = mapper;
    }

    void install(@Observes Filters filters) {
        ConnectionGuard.limit(limits);
        filters.register(this::begin, FIRST);
    }

    /** Answers requests without an authority. Vert.x refuses them before any filter, and the framework would log that as a server error. */
    void installMalformed(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(routing -> {
            if (routing.statusCode() == Problem.Code.BAD_REQUEST.status()
                    && routing.failure() instanceof VertxException malformed) {
                refuse(routing, Problem.of(Problem.Code.BAD_REQUEST, malformed.getMessage()));
            } else {
                routing.next();
            }
        });
    }

    /**
     * Returns the client's address: the address that a trusted proxy forwarded, else the address of the connection.
     */
    static String address(RoutingContext routing) {
        InetAddress client = routing.get(CLIENT);
        return client == null ? routing.request().remoteAddress().hostAddress() : client.getHostAddress();
    }

    /** True if the request may have a body. In HTTP/2 only the end of the stream shows this, and the guard sees that later. */
    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        return length == null
                ? request.headers().contains("Transfer-Encoding") || request.version() == HttpVersion.HTTP_2
                : !length.equals("0");
    }

    private static Optional<GuardedConnection.Request> begin(
            GuardedConnection connection, HttpServerRequest request, InetAddress client) {
        boolean hasBody = hasBody(request) && !request.isEnded();
        Optional<GuardedConnection.Request> begun =
                connection.begin(hasBody, request::bytesRead, request.response().streamId(), client);
        if (hasBody) {
            begun.ifPresent(one -> request.end().onSuccess(whole -> one.bodyEnded()));
        }
        return begun;
    }

    private void begin(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        Optional<GuardedConnection> connection = ConnectionGuard.of(((ConnectionBase) request.connection()).channel());
        if (connection.isEmpty()) {
            routing.next();
            return;
        }
        InetAddress client = ConnectionGuard.forwarded(
                        connection.get(), request.headers().getAll("X-Forwarded-For"))
                .orElse(null);
        routing.put(CLIENT, client);
        Optional<GuardedConnection.Request> begun = begin(connection.get(), request, client);
        if (begun.isEmpty()) {
            routing.response().putHeader("Retry-After", "1");
            refuse(
                    routing,
                    Problem.of(
                            Problem.Code.TOO_MANY_REQUESTS,
                            "connections: the address " + client.getHostAddress() + " has " + limits.perAddress()
                                    + " requests under way, as many as it may"));
            return;
        }
        routing.addEndHandler(ended -> begun.get().close());
        routing.next();
    }

    /**
     * Refuses a request. Reads and discards its body, because many clients read no answer before they have sent it; a long body ends the
     * connection.
     */
    private void refuse(RoutingContext routing, Problem problem) {
        HttpServerRequest request = routing.request();
        request.handler(part -> {
            if (request.bytesRead() > MAX_DISCARDED_BYTES) {
                request.connection().close();
            }
        });
        request.resume();
        try {
            routing.response()
                    .setStatusCode(problem.code().status())
                    .putHeader("Content-Type", ProblemBody.MEDIA_TYPE)
                    .end(mapper.writeValueAsString(ProblemAnswers.body(problem)));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
