package dev.outpost.serving.http;

/** Thrown to refuse a request, in OpenAI's form. */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final ApiError error;

    public ApiException(int status, ApiError error) {
        super(error.message());
        this.status = status;
        this.error = error;
    }

    /** @param param the part of the request that is wrong, or null */
    public static ApiException invalid(String message, String param) {
        return new ApiException(400, new ApiError(message, "invalid_request_error", param, null));
    }

    public int status() {
        return status;
    }

    ApiError error() {
        return error;
    }
}
