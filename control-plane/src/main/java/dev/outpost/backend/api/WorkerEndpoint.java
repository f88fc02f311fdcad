package dev.outpost.backend.api;

import dev.outpost.backend.worker.WorkerSecret;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a call of a worker host. It needs the host's pairing code or its key; keys of the API are refused. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface WorkerEndpoint {
    WorkerSecret.Kind value();
}
