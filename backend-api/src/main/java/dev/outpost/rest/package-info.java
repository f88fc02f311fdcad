/** What all resources of the backend's REST API share: pages and problem documents. */
package dev.outpost.rest;
