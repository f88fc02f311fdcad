/**
 * The kinds of resources that administrators keep in a backend, with one command for each kind, and files that declare
 * them.
 */
package dev.outpost.cli.backend.resource;
