/** The HTTP API under {@code /v1}: access rights, requests and answers. */
package dev.outpost.backend.api;
