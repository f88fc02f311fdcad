package dev.outpost.provider.k8s.credentials;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.HttpURLConnection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Adds the token to each request, and renews a token that was refused (401). The refused request fails, and its caller retries it. The
 * library's own retry would use the connection that is being closed. The library's own interceptor does not support token files.
 */
final class TokenInterceptor implements Interceptor {
    private static final String HEADER = "Authorization";
    private static final String SCHEME = "Bearer ";

    private final TokenSource tokens;

    TokenInterceptor(TokenSource tokens) {
        this.tokens = tokens;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        builder.setHeader(HEADER, SCHEME + tokens.token());
    }

    /**
     * Renews the token on another thread, because a plugin may take long and the calling thread serves all
     * connections. Completes before the caller gets the refusal.
     */
    @Override
    public CompletableFuture<Boolean> afterFailure(BasicBuilder builder, HttpResponse<?> response, RequestTags tags) {
        if (response.code() != HttpURLConnection.HTTP_UNAUTHORIZED) {
            return CompletableFuture.completedFuture(false);
        }
        String refused = Optional.ofNullable(response.request())
                .map(request -> request.header(HEADER))
                .map(header -> header.substring(Math.min(SCHEME.length(), header.length())))
                .orElse("");
        return CompletableFuture.supplyAsync(
                () -> {
                    tokens.renewed(refused);
                    return false;
                },
                Thread::startVirtualThread);
    }
}
