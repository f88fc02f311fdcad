package dev.outpost.serving.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.outpost.channel.guard.ConnectionGuard;
import dev.outpost.channel.guard.ConnectionLimits;
import dev.outpost.channel.guard.GuardedConnection;
import dev.outpost.serving.config.ServingConfig;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.VertxException;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.impl.RoutingContextInternal;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Reports the requests of each connection to the connection guard. Refuses requests that are too large, with an error in OpenAI's form. */
@Singleton
public final class RequestGuard {
    /** The priority of this filter, which runs before all others. */
    private static final int FIRST = 10_000;

    private static final String CLIENT = "outpost.client";
    private static final long MAX_DISCARDED_BYTES = 128 << 20;
    private static final int MALFORMED = 400;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int HEAD_TOO_LARGE = 431;

    private final ServingConfig config;
    private final ObjectMapper mapper;
    private final long maxBody;

    RequestGuard(ServingConfig config, ObjectMapper mapper) {
        this.config = config;
        this.mapper = mapper;
        maxBody = config.connections().bodyBytes();
    }

    void install(@Observes Filters filters) {
        ServingConfig.Connections connections = config.connections();
        ConnectionGuard.limit(new ConnectionLimits(
                connections.total(),
                connections.perAddress(),
                connections.headTimeout(),
                connections.bodyTimeout(),
                connections.idleTimeout(),
                connections.trustedProxies().orElse(List.of()).stream()
                        .map(ConnectionLimits.Network::parse)
                        .toList()));
        filters.register(this::begin, FIRST);
    }

    /** Answers requests without an authority. Vert.x refuses them before any filter, and the framework would log that as a server error. */
    void installMalformed(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(routing -> {
            if (routing.statusCode() == MALFORMED && routing.failure() instanceof VertxException malformed) {
                refuse(routing, MALFORMED, malformed.getMessage(), "invalid_request_error", null);
            } else {
                routing.next();
            }
        });
    }

    /**
     * Returns the client's address: the address that a trusted proxy forwarded, else the address of the connection.
     */
    public static String address(RoutingContext routing) {
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
        if (connection.isPresent()) {
            InetAddress client = ConnectionGuard.forwarded(
                            connection.get(), request.headers().getAll("X-Forwarded-For"))
                    .orElse(null);
            routing.put(CLIENT, client);
            Optional<GuardedConnection.Request> begun = begin(connection.get(), request, client);
            if (begun.isEmpty()) {
                refuse(
                        routing,
                        TOO_MANY,
                        "the address " + client.getHostAddress() + " has "
                                + config.connections().perAddress() + " requests under way, which is the limit",
                        "rate_limit_error",
                        "rate_limit_exceeded");
                return;
            }
            routing.addEndHandler(ended -> begun.get().close());
        }
        long head = request.headers().entries().stream()
                .mapToLong(
                        header -> header.getKey().length() + header.getValue().length() + 4L)
                .sum();
        if (head + request.uri().length() > config.connections().headBytes()) {
            refuse(
                    routing,
                    HEAD_TOO_LARGE,
                    "the head of the request has " + (head + request.uri().length()) + " bytes, and at most "
                            + config.connections().headBytes() + " are read",
                    "invalid_request_error",
                    null);
        } else if (bodyLength(request) > maxBody) {
            refuseBody(routing, bodyLength(request) + " bytes");
        } else if (request.headers().contains("Transfer-Encoding")) {
            collect(routing);
        } else {
            routing.next();
        }
    }

    private void refuseBody(RoutingContext routing, String length) {
        refuse(
                routing,
                TOO_LARGE,
                "the body has " + length + ", and at most " + maxBody + " are read",
                "invalid_request_error",
                null);
    }

    /**
     * Reads a body of unknown length before the request is processed. The framework itself would answer a body that is too long, fail, and
     * try to answer a second time.
     */
    private void collect(RoutingContext routing) {
        Buffer body = Buffer.buffer();
        HttpServerRequest request = routing.request();
        request.handler(part -> {
            if (routing.response().ended()) {
                if (request.bytesRead() > MAX_DISCARDED_BYTES) {
                    request.connection().close();
                }
                return;
            }
            if (body.length() + part.length() > maxBody) {
                refuseBody(routing, "more than " + maxBody + " bytes");
            } else {
                body.appendBuffer(part);
            }
        });
        request.endHandler(whole -> {
            if (!routing.response().ended()) {
                ((RoutingContextInternal) routing).setBody(body);
                routing.next();
            }
        });
        // The client has disconnected, or its chunks are malformed, so no answer can be sent.
        request.exceptionHandler(broken -> request.connection().close());
        request.resume();
    }

    private static long bodyLength(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException ignored) {
            return 0;
        }
    }

    /**
     * Refuses a request. Reads and discards its body, because many clients read the answer only after they have sent everything. Closes
     * the connection instead if the body is very long.
     */
    private void refuse(RoutingContext routing, int status, String message, String type, String code) {
        if (bodyLength(routing.request()) > MAX_DISCARDED_BYTES) {
            routing.response().putHeader("Connection", "close");
        } else {
            routing.request().resume();
        }
        try {
            routing.response()
                    .setStatusCode(status)
                    .putHeader("Content-Type", "application/json")
                    .end(mapper.writeValueAsString(new ApiError.Body(new ApiError(message, type, null, code))));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
