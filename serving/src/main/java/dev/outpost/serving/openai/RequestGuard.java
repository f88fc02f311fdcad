package dev.outpost.serving.openai;

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

/** Tells the guard of connections which requests are under way, and refuses those that are too large, in OpenAI's form. */
@Singleton
public final class RequestGuard {
    /** Before all other filters. */
    private static final int FIRST = 10_000;

    private static final String CLIENT = "outpost.client";
    private static final long MAX_DISCARDED_BYTES = 128 << 20;
    private static final int MALFORMED = 400;
    private static final int TOO_LARGE = 413;
    private static final int TOO_MANY = 429;
    private static final int HEAD_TOO_LARGE = 431;

    private final ServingConfig config;
    private final ObjectMapper mapper;
    private final long mostBody;

    RequestGuard(ServingConfig config, ObjectMapper mapper) {
        this.config = config;
        this.mapper = mapper;
        mostBody = config.connections().bodyBytes();
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

    /** Vert.x refuses a request without an authority before any filter, which the framework would log as an error of the server's. */
    void installMalformed(@Observes Router router) {
        router.route().order(Integer.MIN_VALUE).failureHandler(routing -> {
            if (routing.statusCode() == MALFORMED && routing.failure() instanceof VertxException malformed) {
                refuse(routing, MALFORMED, malformed.getMessage(), "invalid_request_error", null);
            } else {
                routing.next();
            }
        });
    }

    /** The address of the client of a request: of the connection, or the one that a trusted proxy forwarded. */
    static String address(RoutingContext routing) {
        InetAddress client = routing.get(CLIENT);
        return client == null ? routing.request().remoteAddress().hostAddress() : client.getHostAddress();
    }

    /** Whether more than a head is to come. HTTP/2 says so by its streams, whose end the guard sees. */
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
                                + config.connections().perAddress() + " requests under way, as many as it may",
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
        } else if (bodyLength(request) > mostBody) {
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
                "the body has " + length + ", and at most " + mostBody + " are read",
                "invalid_request_error",
                null);
    }

    /**
     * Reads a body of unknown length, before the request goes on. The framework would answer one that is too long, fail, and try to answer
     * the failure as well.
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
            if (body.length() + part.length() > mostBody) {
                refuseBody(routing, "more than " + mostBody + " bytes");
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
        // The client has gone, or its chunks are malformed: nothing is left to answer.
        request.exceptionHandler(broken -> request.connection().close());
        request.resume();
    }

    private static long bodyLength(HttpServerRequest request) {
        String length = request.getHeader("Content-Length");
        try {
            return length == null ? 0 : Long.parseLong(length);
        } catch (NumberFormatException malformed) {
            return 0;
        }
    }

    /** A body is read and thrown away, since many clients read no answer before they have sent all; a very long one ends the connection. */
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
