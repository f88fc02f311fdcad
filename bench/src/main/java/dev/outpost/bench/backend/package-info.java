/** {@code ./outpost bench backend}: what the backend costs and how quick it is, from outside. */
package dev.outpost.bench.backend;
