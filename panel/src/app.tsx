import { Button, Center, Loader } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { RequestError } from "./api/client.ts";
import { type ContentType, type Model, ModelContext, useDescription } from "./api/description.ts";
import { EditPage } from "./edit/page.tsx";
import { useText } from "./i18n/index.ts";
import { ListPage } from "./list/page.tsx";
import { useSession } from "./session/session.tsx";
import { hrefOf } from "./shell/addresses.ts";
import { usePages } from "./shell/pages.ts";
import { Shell } from "./shell/shell.tsx";
import { Boundary } from "./ui/boundary.tsx";
import { Empty, Failed, LoadingRows } from "./ui/states.tsx";

const RolePage = lazy(async () => ({ default: (await import("./run/role-page.tsx")).RolePage }));

const Start = ({ model }: { readonly model: Model }) => {
  const t = useText();
  const [first] = model.contentTypes;
  return first ? <Redirect to={hrefOf(first)} replace /> : <Empty isPage icon="stack" title={t("nav.none")} />;
};

const Missing = () => <Empty isPage icon="search" title={useText()("edit.notFound")} />;

/** The list of a type's documents, or the form of one of them. */
const ContentPage = ({ type, documentId }: { readonly type: ContentType; readonly documentId: string | undefined }) =>
  documentId === undefined ? (
    <ListPage type={type} />
  ) : (
    <EditPage type={type} documentId={documentId === "new" ? undefined : documentId} />
  );

const Pages = ({ model }: { readonly model: Model }) => (
  <Switch>
    <Route path="/content/:name/:documentId?">
      {({ name, documentId }) => {
        const type = model.contentTypes.find(({ pluralName }) => pluralName === name);
        return type ? <ContentPage key={`${name} ${documentId}`} type={type} documentId={documentId} /> : <Missing />;
      }}
    </Route>
    <Route path="/single/:name">
      {({ name }) => {
        const type = model.contentTypes.find(({ singularName }) => singularName === name);
        return type ? <EditPage key={name} type={type} documentId="" /> : <Missing />;
      }}
    </Route>
    {usePages().flatMap(({ pages }) =>
      pages.map(({ path, Content }) => (
        <Route key={path} path={path}>
          <Content />
        </Route>
      )),
    )}
    <Route path="/roles/:id">{({ id }) => <RolePage key={id} id={id} />}</Route>
    <Route>
      <Start model={model} />
    </Route>
  </Switch>
);

/** The panel for the signed-in user. */
export const App = () => {
  const t = useText();
  const { signOut } = useSession();
  const [location] = useLocation();
  const { data: model, error, refetch } = useDescription(true);
  if (error instanceof RequestError && error.status === 403)
    return (
      <Empty isPage icon="alert" title={t("error.title")} text={t("error.forbidden")}>
        <Button mt="md" variant="default" onClick={() => void signOut()}>
          {t("account.signOut")}
        </Button>
      </Empty>
    );
  if (!model && error) return <Failed error={error} retry={() => void refetch()} />;
  if (!model)
    return (
      <Center h="100vh">
        <Loader />
      </Center>
    );
  return (
    <ModelContext value={model}>
      <Shell>
        <Boundary key={location}>
          <Suspense fallback={<LoadingRows />}>
            <Pages model={model} />
          </Suspense>
        </Boundary>
      </Shell>
    </ModelContext>
  );
};
