/** Commands that work with models. */
package dev.outpost.cli.models;
