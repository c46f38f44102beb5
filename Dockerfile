# The command conformant from this repository; docs/service.md says how to run it.
FROM node:22-slim AS build
WORKDIR /src
COPY . .
RUN npm run build && mkdir /packed && npm pack --workspaces --pack-destination /packed

FROM node:22-slim
COPY --from=build /packed /packed
RUN npm install --global --ignore-scripts /packed/conformant-*.tgz && rm -r /packed
USER node
EXPOSE 7421
ENTRYPOINT ["conformant"]
CMD ["serve", "/model.json", "--host", "0.0.0.0"]
