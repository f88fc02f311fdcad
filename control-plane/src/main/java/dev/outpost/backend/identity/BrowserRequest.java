package dev.outpost.backend.identity;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import jakarta.inject.Singleton;
import java.util.Optional;

/** The current request: its sender, and the session in its cookie. */
@Singleton
public class BrowserRequest {
    private final CurrentVertxRequest current;

    BrowserRequest(CurrentVertxRequest current) {
        this.current = current;
    }

    private HttpServerRequest request() {
        return current.getCurrent().request();
    }

    public SessionCookie.Sender sender() {
        HttpServerRequest request = request();
        HostAndPort authority = request.authority();
        return new SessionCookie.Sender(
                Optional.ofNullable(request.getHeader("Sec-Fetch-Site")),
                Optional.ofNullable(request.getHeader("Origin")),
                authority.host(),
                authority.port());
    }

    /** True if the browser has sent the request over HTTPS. */
    public boolean isSecure() {
        return request().isSSL() || sender().isOverHttps();
    }

    /** Returns the session of the request's cookie. The session may have ended. */
    public Optional<BrowserSession> session() {
        return cookie(true)
                .or(() -> !request().isSSL() && sender().mayBePlain() ? cookie(false) : Optional.empty())
                .flatMap(BrowserSession::parse);
    }

    /** Returns the token that the page has sent; empty text if it has sent none. */
    public String token() {
        return Optional.ofNullable(request().getHeader(SessionCookie.TOKEN)).orElse("");
    }

    private Optional<String> cookie(boolean isSecure) {
        return Optional.ofNullable(request().getCookie(SessionCookie.name(isSecure)))
                .map(Cookie::getValue)
                .filter(value -> !value.isEmpty());
    }
}
